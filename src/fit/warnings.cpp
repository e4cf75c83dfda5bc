#include "fit/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "objective/moments.hpp"
#include "screen/summary.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

constexpr double kFewSamples = 100;
constexpr double kFewRowsPerFold = 4;
constexpr double kRedundant = 0.5;  // correlation of two components within a view

/// "40 samples", or what they are worth when groups and weights make them fewer.
std::string samples_in_words(const Model& model) {
  const auto worth = static_cast<std::uint64_t>(std::llround(model.effective_samples));
  if (worth >= model.n_samples) return fmt::format("There are only {} samples", model.n_samples);
  return fmt::format("By their groups and weights the {} samples are worth only {} independent ones", model.n_samples,
                     worth);
}

bool any_split(const ViewModel& view) {
  for (const Encoder& encoder : view.encoders) {
    for (const Tree& tree : encoder) {
      if (tree.nodes.size() > 1) return true;
    }
  }
  return false;
}

/// Correlation of two columns, from the covariance of all.
double correlation(const Eigen::MatrixXd& covariance, Index a, Index b) {
  const double deviations = std::sqrt(covariance(a, a)) * std::sqrt(covariance(b, b));
  return deviations > 0 ? covariance(a, b) / deviations : 0.0;
}

/// The pair of components of any view that repeat each other most, if they do.
void warn_of_redundancy(const FitResult& result, const Samples& samples, std::vector<std::string>& warnings) {
  constexpr Index kMaxComponents = 30;  // enough to tell; all pairs of hundreds would take long
  const Index k = std::min(result.model.n_components(), kMaxComponents);
  double most = kRedundant;
  std::string text;
  for (std::size_t v = 0; v < result.variates.size(); ++v) {
    const Eigen::MatrixXd covariance = moments_of({&result.variates[v]}, Folds::all_rows(samples), 1).covariance();
    for (Index a = 0; a < k; ++a) {
      for (Index b = a + 1; b < k; ++b) {
        const double r = std::fabs(correlation(covariance, a, b));
        if (r <= most) continue;
        most = r;
        text = fmt::format(
            "Components {} and {} of view \"{}\" repeat each other (correlation {:.2f}), so their correlations must "
            "not "
            "be added up. Set rotate.",
            a + 1, b + 1, result.model.views[v].name, r);
      }
    }
  }
  if (!text.empty()) warnings.push_back(text);
}

}  // namespace

std::vector<std::string> warnings_about(const FitResult& result, const Samples& samples) {
  const Model& model = result.model;
  std::vector<std::string> warnings;
  const Correlations& correlations = model.correlations;
  const bool one_table = model.views.size() == 1;  // its correlations are those of two disturbed copies; see ssl.hpp
  for (const ViewModel& view : model.views) {
    if (any_split(view)) continue;
    warnings.push_back(
        fmt::format("No tree of view \"{}\" was ever split, so it has no components. Lower min_child_weight{}.",
                    view.name, model.parameters.init == Init::zero ? ", and use another init than zero" : ""));
  }
  for (const std::string& view : views_without_significant_features(model)) {
    warnings.push_back(
        fmt::format("Screening kept all features of view \"{}\": none depends on a feature of another view more than "
                    "chance explains.",
                    view));
  }
  if (model.effective_samples < kFewSamples) {
    warnings.push_back(fmt::format("{}: expect correlations to be off by about {:.2f} either way.",
                                   samples_in_words(model), 1.5 / std::sqrt(std::max(1.0, model.effective_samples))));
  }
  if (!model.parameters.rotate) warn_of_redundancy(result, samples, warnings);
  if (correlations.out_of_fold.empty()) {
    warnings.push_back(fmt::format(
        "Without cross-fitting the correlations are those of the training rows and look better than they "
        "are. {}",
        one_table ? "Set cross_fit to see how they hold for other rows." : "Score new data, or set cross_fit."));
    return warnings;
  }
  const double rows_per_fold =
      static_cast<double>(model.n_samples) / static_cast<double>(std::max<Index>(1, model.parameters.cross_fit));
  if (rows_per_fold < kFewRowsPerFold) {
    warnings.push_back(fmt::format(
        "The folds have {:.1f} rows each. Correlations are measured within folds, from the fold's own mean, and say "
        "little with so few. Set cross_fit to {} or less.",
        rows_per_fold, std::max<Index>(2, static_cast<Index>(model.n_samples) / 10)));
  }
  if (model.parameters.cross_fit == 2) {
    warnings.push_back(
        "With two folds the encoders of a view learn from separate halves and may drift apart. Set cross_fit to 3 or "
        "more.");
  }
  const double out_of_fold = total_correlation(correlations.out_of_fold);
  const double linear = total_correlation(correlations.linear_out_of_fold);
  const double standard_error =
      std::sqrt(static_cast<double>(model.n_components()) / std::max(1.0, model.effective_samples));
  const auto found =
      static_cast<Index>(components_above_noise(correlations.out_of_fold, model.effective_samples).size());
  if (found == 0) {
    warnings.push_back(
        fmt::format("The {} show no correlation on rows the trees have not seen: what they share, if anything, is too "
                    "weak to be told from noise.{}",
                    one_table ? "two copies of the rows" : "views",
                    one_table ? " Use an augmentation that disturbs the rows less." : ""));
  } else if (linear > out_of_fold + standard_error) {
    warnings.push_back(
        fmt::format("Linear CCA does better on unseen rows ({:.2f} against {:.2f}): the relation is mostly linear, or "
                    "there are too "
                    "few samples for trees.",
                    linear, out_of_fold));
  }
  if (found > 0 && found < model.n_components()) {
    warnings.push_back(
        fmt::format("Only {} of the {} components correlate{} on rows the trees have not seen more than noise alone "
                    "might; the others "
                    "found nothing.",
                    found, model.n_components(), found == 1 ? "s" : ""));
  }
  const double in_sample = total_correlation(correlations.in_sample);
  if (found > 0 && out_of_fold < in_sample / 2) {
    warnings.push_back(
        fmt::format("The trees fit the samples they learned from far better than others (total correlation {:.2f} in "
                    "sample, {:.2f} out of fold): use out-of-fold figures and variates only. Smaller trees, fewer "
                    "rounds or more samples would narrow the gap.",
                    in_sample, out_of_fold));
  }
  return warnings;
}

}  // namespace treecca
