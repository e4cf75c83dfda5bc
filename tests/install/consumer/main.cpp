// Fits, saves, reads back and applies a model with the installed library: every part of it must
// link.
#include <treecca/treecca.hpp>

#include <cmath>
#include <cstdio>

int main() {
  treecca::Matrix<float> x(120, 2);
  treecca::Matrix<float> y(120, 2);
  for (treecca::Index i = 0; i < x.rows(); ++i) {
    const auto t = static_cast<float>(i);
    x(i, 0) = std::sin(t);
    x(i, 1) = std::cos(3.0F * t);
    y(i, 0) = x(i, 0) * x(i, 0);
    y(i, 1) = std::cos(5.0F * t);
  }
  treecca::Parameters parameters;
  parameters.n_components = 1;
  parameters.n_estimators = 5;
  const treecca::FitResult result = treecca::fit({{"x", x}, {"y", y}}, parameters);
  treecca::save_model(result.model, "model.json");
  const treecca::Model model = treecca::load_model("model.json");
  const bool same = model == result.model && treecca::transform(model, 0, x) == treecca::transform(result.model, 0, x);
  std::printf("treecca %s: the model read back is %s\n", treecca::version, same ? "the same" : "another");
  return same ? 0 : 1;
}
