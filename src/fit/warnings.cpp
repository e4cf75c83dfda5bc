#include "fit/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "fit/influence.hpp"
#include "fit/neighbours.hpp"
#include "fit/same_source.hpp"
#include "objective/moments.hpp"
#include "samples/folds.hpp"
#include "screen/summary.hpp"
#include "support/text.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

constexpr double kFewRowsPerFold = 4;
constexpr double kMuchBetter = 0.05;  // of the number of components
constexpr double kRedundant = 0.5;    // correlation of two components within a view

/// "40 samples", "12 groups", "100 samples (worth 8 of equal weight)".
std::string independent_in_words(const Model& model, const Samples& samples) {
  std::string text = fmt::format("{} {}", model.independent_samples, samples.grouped() ? "groups" : "samples");
  if (model.effective_samples < 0.8 * static_cast<double>(model.independent_samples)) {
    text += fmt::format(" (worth {:.1f} {})", model.effective_samples,
                        samples.complete() ? "of equal weight" : "that have both of two views");
  }
  return text;
}

/// Warns if no component or only some are above noise, or if there are too few groups to tell.
void warn_of_noise(const Model& model, const Samples& samples, Index found, bool one_table,
                   std::vector<std::string>& warnings) {
  const Correlations& correlations = model.correlations;
  const bool many = model.views.size() > 2;
  if (!can_tell_noise(model.effective_samples)) {
    warnings.push_back(
        fmt::format("{} are too few to tell any correlation from noise.", independent_in_words(model, samples)));
  } else if (found == 0) {
    const auto highest = std::max_element(correlations.out_of_fold.begin(), correlations.out_of_fold.end());
    const double threshold =
        correlations.noise_thresholds[static_cast<std::size_t>(highest - correlations.out_of_fold.begin())];
    warnings.push_back(fmt::format(
        "No component exceeds its noise threshold: with {}, the highest out-of-fold correlation{} is {:.2f} and its "
        "threshold {:.2f}. {}",
        independent_in_words(model, samples), many ? " (mean over pairs of views)" : "", *highest, threshold,
        one_table ? "Use an augmentation that changes the rows less."
                  : "Check that the rows of the views belong together. With more samples, weaker relations can be told "
                    "from noise."));
  } else if (found < model.n_components()) {
    warnings.push_back(
        fmt::format("{} of {} components exceed{} the noise threshold{}; the others cannot be told from "
                    "noise.",
                    found, model.n_components(), found == 1 ? "s" : "",
                    many ? ", by their mean over pairs of views or by a pair" : ""));
  }
}

bool any_split(const ViewModel& view) {
  for (const PartModel& part : view.parts) {
    for (const Encoder& encoder : part.encoders) {
      for (const Tree& tree : encoder) {
        if (tree.nodes.size() > 1) return true;
      }
    }
  }
  return view.parts.empty();  // linear CCA alone
}

/// Correlation of two columns, from the covariance of all columns.
double correlation_of_columns(const Eigen::MatrixXd& covariance, Index a, Index b) {
  const double deviations = std::sqrt(covariance(a, a)) * std::sqrt(covariance(b, b));
  return deviations > 0 ? covariance(a, b) / deviations : 0.0;
}

/// Warns of the pair of components within a view with the highest correlation, if it is too high.
void warn_of_redundancy(const FitResult& result, const Samples& samples, std::vector<std::string>& warnings) {
  constexpr Index kMaxComponents = 30;  // enough for a warning; all pairs of hundreds would take long
  const Index k = std::min(result.model.n_components(), kMaxComponents);
  double most = kRedundant;
  std::string text;
  for (std::size_t v = 0; v < result.variates.size(); ++v) {
    const Eigen::MatrixXd covariance =
        moments_of({&result.variates[v]}, Folds::all_rows(samples), 1, static_cast<Index>(v)).covariance();
    for (Index a = 0; a < k; ++a) {
      for (Index b = a + 1; b < k; ++b) {
        const double r = std::fabs(correlation_of_columns(covariance, a, b));
        if (r <= most) continue;
        most = r;
        text = fmt::format(
            "Components {} and {} of view \"{}\" repeat each other (correlation {:.2f}), so their correlations must "
            "not be added up. Set rotate to true.",
            a + 1, b + 1, result.model.views[v].name, r);
      }
    }
  }
  if (!text.empty()) warnings.push_back(text);
}

/// Warns of parameters of trees that were set although there are no trees.
void warn_of_unused(const Parameters& asked, std::vector<std::string>& warnings) {
  if (!(asked.linear == 1)) return;
  const Parameters usual = Parameters::of_preset(asked.preset);
  std::vector<std::string> unused;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (matters_without_trees(declaration.name)) return;
    if (to_text(asked, declaration.name) != to_text(usual, declaration.name)) unused.emplace_back(declaration.name);
  });
  if (unused.empty()) return;
  warnings.push_back(fmt::format("linear = 1 fits no trees, so {} {} no effect.", listed(unused),
                                 unused.size() == 1 ? "has" : "have"));
}

}  // namespace

bool matters_without_trees(std::string_view name) {
  static const std::set<std::string_view> kUsed{"preset",    "n_components", "linear", "n_repeats",
                                                "cross_fit", "rotate",       "n_jobs", "random_state"};
  return kUsed.contains(name);
}

std::vector<std::string> warnings_about(const FitResult& result, const Dataset& data) {
  const Samples& samples = data.samples;
  const Model& model = result.model;
  std::vector<std::string> warnings;
  const Correlations& correlations = model.correlations;
  const bool one_table = model.views.size() == 1;  // its correlations are those of two augmented copies; see ssl.hpp
  warn_of_unused(model.asked, warnings);
  if (!one_table && model.asked.preset == Preset::automatic && too_few_groups_for_parts(samples)) {
    warnings.push_back(fmt::format("{} groups are too few for parts: this is one cross-fit, as with preset=plain.",
                                   samples.independent()));
  }
  for (const ViewModel& view : model.views) {
    if (any_split(view)) continue;
    warnings.push_back(
        fmt::format("No tree of view \"{}\" was ever split, so {}. Lower min_child_weight{}.", view.name,
                    view.linear.empty() ? "it has no components" : "its components come from linear CCA only",
                    model.parameters.init == Init::zero ? " and set init to another value than zero" : ""));
  }
  for (const std::string& view : views_without_significant_features(model)) {
    warnings.push_back(
        fmt::format("Screening kept all features of view \"{}\": no single feature depends on a feature of another "
                    "view by more than chance.",
                    view));
  }
  if (!model.parameters.rotate) warn_of_redundancy(result, samples, warnings);
  if (correlations.out_of_fold.empty()) {
    warnings.push_back(fmt::format(
        "Without cross-fitting the correlations are in-sample, usually much too high. "
        "{}",
        one_table ? "Set cross_fit to get out-of-fold correlations." : "Score new data, or set cross_fit."));
    return warnings;
  }
  const bool parts = model.parameters.n_repeats > 0;
  const auto folds = static_cast<double>(parts ? parts_per_repeat(samples) : *model.parameters.cross_fit.value);
  const auto n_samples = static_cast<double>(samples.least_shared());
  const double rows_per_fold = n_samples / folds;
  if (rows_per_fold < kFewRowsPerFold) {
    const std::string remedy = parts ? std::string("Add samples.")
                                     : fmt::format("Use {} folds (cross_fit).", n_samples >= 30 ? "3 to 10" : "3");
    warnings.push_back(fmt::format(
        "The folds have {:.1f} rows each. Correlations are measured within folds, from the fold's own mean, and are "
        "unreliable with so few rows. {}",
        rows_per_fold, remedy));
  }
  const double inside = n_samples * (1 - 1 / folds) / static_cast<double>(*model.parameters.cross_fit.value);
  if (parts && model.parameters.linear < 1 && inside < kFewRowsPerFold && rows_per_fold >= kFewRowsPerFold) {
    warnings.push_back(
        fmt::format("The folds inside a part have {:.1f} rows each, too few to learn from. Lower cross_fit.", inside));
  }
  if (model.parameters.cross_fit == 2 && samples.independent() > 2) {
    warnings.push_back(
        "With two folds the encoders of a view learn from separate halves and may find different components. Set "
        "cross_fit to 3 or "
        "more.");
  }
  const double out_of_fold = total_correlation(correlations.out_of_fold);
  const std::vector<bool> above = model.found();
  const auto found = static_cast<Index>(std::count(above.begin(), above.end(), true));
  warn_of_noise(model, samples, found, one_table, warnings);
  if (!one_table) {
    for (const std::string& text :
         {near_copies(result, data), shared_placeholders(result, data), decisive_samples(result, samples),
          alike_neighbours(result, samples), dependent_components(result, samples)}) {
      if (!text.empty()) warnings.push_back(text);
    }
  }
  const double of_linear_cca = total_correlation(correlations.linear_out_of_fold);
  if (correlations.candidates.size() == 1 && model.parameters.linear < 1 &&
      of_linear_cca > out_of_fold + kMuchBetter * static_cast<double>(model.n_components())) {
    warnings.push_back(
        fmt::format("Linear CCA does better on the same rows ({:.2f}, this fit {:.2f}). Set linear to 1{}.",
                    of_linear_cca, out_of_fold, model.asked.preset == Preset::plain ? ", or preset to auto" : ""));
  }
  const double in_sample = total_correlation(correlations.in_sample);
  if (found > 0 && out_of_fold < in_sample / 2) {
    warnings.push_back(fmt::format(
        "Overfitting: the total correlation is {:.2f} in-sample but {:.2f} out-of-fold. Use only out-of-fold "
        "results. To reduce it, lower max_depth or n_estimators, or add samples.",
        in_sample, out_of_fold));
  }
  return warnings;
}

}  // namespace treecca
