// A fit of fixed size on one thread, whose instructions the test counts: "scalar", "joint", "sketch" (12 components),
// or "transform" (a joint fit, then 20,000 rows).
#include <cstdio>
#include <string>

#include "helpers/synthetic_views.hpp"
#include "treecca/treecca.hpp"

int main(int argc, char** argv) {
  const std::string kind = argc == 2 ? argv[1] : "";
  treecca::Parameters parameters = treecca::Parameters::of_preset(treecca::Preset::plain);
  parameters.n_components = kind == "sketch" ? 12 : 3;
  parameters.trees = kind == "scalar" ? treecca::Trees::scalar : treecca::Trees::joint;
  parameters.cross_fit = 0;
  parameters.n_estimators = 20;
  parameters.n_jobs = 1;
  if (kind == "sketch") parameters.sketch = 7;
  const treecca::testing::TwoViews data = treecca::testing::hermite_views(2000, parameters.n_components, 20, 1);
  const treecca::FitResult result = treecca::fit(data.views(), parameters);
  if (kind == "transform") {
    const treecca::Matrix<float> rows = treecca::testing::normal_matrix(20000, data.a.cols(), 1);
    treecca::transform(result.model, 0, rows, 1);
  }
  std::printf("%s: %td rounds\n", kind.c_str(), result.model.rounds);
}
