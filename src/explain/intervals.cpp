#include "treecca/intervals.hpp"

#include <algorithm>
#include <cmath>

#include "objective/student_t.hpp"

namespace treecca {
namespace {

constexpr double kProbability = 0.975;
constexpr double kPartsPerSplit = 5;  // samples/folds.hpp

/// Number of folds that share training samples: the folds of a repeat, or of the single cross-fit.
double fold_count(const Model& model) {
  const Parameters& parameters = model.parameters;
  if (parameters.n_repeats == 0) return static_cast<double>(parameters.cross_fit.value.value_or(5));
  return std::min(kPartsPerSplit, static_cast<double>(model.independent_samples));
}

}  // namespace

CorrelationIntervals correlation_intervals(const Model& model) {
  const Correlations& found = model.correlations;
  CorrelationIntervals intervals;
  if (found.out_of_fold.empty() || model.views.size() < 2) return intervals;
  const double folds = std::max(2.0, fold_count(model));
  const double reach =
      student_t_quantile(kProbability, std::max(1.0, model.effective_samples - 1)) * std::sqrt(1 + folds / (folds - 1));
  for (std::size_t k = 0; k < found.out_of_fold.size(); ++k) {
    intervals.per_component.push_back(confidence_interval(found.out_of_fold[k], found.standard_errors[k], reach));
  }
  for (std::size_t i = 0; i < found.pairwise_standard_errors.size(); ++i) {
    const bool pair = found.pairwise_standard_errors[i] > 0;
    intervals.pairwise.push_back(pair ? confidence_interval(found.pairwise[i], found.pairwise_standard_errors[i], reach)
                                      : Interval{});
  }
  return intervals;
}

}  // namespace treecca
