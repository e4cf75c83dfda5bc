#include "boost/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treecca/metrics.hpp"

namespace treecca {
namespace {

constexpr std::uint64_t kFewSamples = 100;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

bool any_split(const ViewModel& view) {
  for (const Encoder& encoder : view.encoders) {
    for (const Tree& tree : encoder) {
      if (tree.nodes.size() > 1) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> warnings_about(const Model& model) {
  std::vector<std::string> warnings;
  const Correlations& correlations = model.correlations;
  for (const ViewModel& view : model.views) {
    if (any_split(view)) continue;
    warnings.push_back(
        fmt::format("No tree of view \"{}\" was ever split, so it has no components. Lower min_child_weight{}.",
                    view.name, model.parameters.init == Init::zero ? ", and use another init than zero" : ""));
  }
  if (model.n_samples < kFewSamples) {
    warnings.push_back(fmt::format(
        "There are only {} samples: expect the out-of-fold correlations to be off by about {:.2f} either way.",
        model.n_samples, 1.5 / std::sqrt(static_cast<double>(model.n_samples))));
  }
  if (correlations.out_of_fold.empty()) {
    warnings.push_back(
        "Without cross-fitting the correlations are those of the training rows and look better than they are. Score "
        "new "
        "data, or set cross_fit.");
    return warnings;
  }
  if (model.parameters.cross_fit == 2) {
    warnings.push_back(
        "With two folds the encoders of a view learn from separate halves and may drift apart. Set cross_fit to 3 or "
        "more.");
  }
  const double honest = sum(correlations.out_of_fold);
  const double linear = sum(correlations.linear_out_of_fold);
  const double standard_error =
      std::sqrt(static_cast<double>(model.n_components()) / static_cast<double>(model.n_samples));
  const double noise = noise_level(model.n_samples, model.n_components());
  const auto found = std::count_if(correlations.out_of_fold.begin(), correlations.out_of_fold.end(),
                                   [&](double correlation) { return correlation > noise; });
  if (found == 0) {
    warnings.push_back(
        "The views show no correlation on rows the trees have not seen: what they share, if "
        "anything, is too weak to be told from noise.");
  } else if (linear > honest + standard_error) {
    warnings.push_back(
        fmt::format("Linear CCA does better on unseen rows ({:.2f} against {:.2f}): the relation is mostly linear, or "
                    "there are too "
                    "few samples for trees.",
                    linear, honest));
  }
  if (found > 0 && found < model.n_components()) {
    warnings.push_back(
        fmt::format("Only {} of the {} components correlate{} on rows the trees have not seen more than noise alone "
                    "might; the others "
                    "found nothing.",
                    found, model.n_components(), found == 1 ? "s" : ""));
  }
  return warnings;
}

}  // namespace treecca
