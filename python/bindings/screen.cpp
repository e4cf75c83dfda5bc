#include "treecca/screen.hpp"

#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "feature_scores.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"

namespace treecca::python {
namespace {

nb::list screen_views(const std::vector<InputView>& inputs, Index n_permutations, const Weights& sample_weight,
                      std::uint64_t random_state, Index n_jobs) {
  const std::vector<View> views = views_from(inputs);
  ScreenOptions options;
  options.n_permutations = n_permutations;
  options.sample_weight = copied(sample_weight);
  options.random_state = random_state;
  options.n_jobs = n_jobs;
  const std::vector<FeatureScores> scores = run_interruptible([&](const std::atomic<bool>& stop) {
    options.stop = &stop;
    return screen(views, options);
  });
  nb::list result;
  for (const FeatureScores& one : scores) result.append(scores_of(one));
  return result;
}

}  // namespace

void bind_screen(nb::module_& module) {
  module.def("screen", screen_views, nb::arg("views"), nb::arg("n_permutations"), nb::arg("sample_weight").none(),
             nb::arg("random_state"), nb::arg("n_jobs"),
             nb::sig("def screen(views: list, n_permutations: int, sample_weight: object, random_state: int, "
                     "n_jobs: int) -> list[dict]"),
             "Per view: score, p_value, partner_view and partner of every feature.");
}

}  // namespace treecca::python
