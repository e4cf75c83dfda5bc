// Tests which components, and which pairs of views in them, are above noise.
#include <algorithm>
#include <cmath>

#include "treecca/metrics.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

/// M, from a table of M x M x K numbers; 0 if it is empty.
std::size_t view_count(std::size_t numbers, std::size_t k) {
  return k == 0 ? 0 : static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(numbers / k))));
}

}  // namespace

void set_noise_thresholds(Correlations& correlations, const ComponentNumbers& errors, double rows,
                          double independent_samples) {
  const std::size_t k = errors.per_component.size();
  const std::size_t m = view_count(errors.pairwise.size(), k);
  const double pairs = m < 2 ? 1.0 : static_cast<double>(m * (m - 1)) / 2;
  // With two views the mean is their only pair; with more there are two tests. A mean over pairs has a smaller standard
  // error.
  const double comparisons = static_cast<double>(k) * (pairs > 1 ? 2 : 1);
  correlations.noise_thresholds =
      noise_thresholds(errors.per_component, {rows * pairs, independent_samples, comparisons});
  if (m == 0) return;
  correlations.pairwise_noise_thresholds =
      noise_thresholds(errors.pairwise, {rows, independent_samples, comparisons * pairs});
  for (std::size_t view = 0; view < m; ++view) {  // a view with itself is not a pair
    for (std::size_t c = 0; c < k; ++c) correlations.pairwise_noise_thresholds[(view * m + view) * k + c] = 0;
  }
}

std::vector<bool> found_pairs(const Correlations& correlations, double independent_samples) {
  const std::vector<double>& thresholds = correlations.pairwise_noise_thresholds;
  std::vector<bool> result(thresholds.size(), false);
  const std::size_t k = correlations.out_of_fold.size();
  if (k == 0 || !can_tell_noise(independent_samples)) return result;
  const std::size_t views = view_count(thresholds.size(), k);
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const std::size_t pair = i / k;
    result[i] = pair / views != pair % views && correlations.pairwise[i] > thresholds[i];
  }
  return result;
}

std::vector<bool> found_components(const Correlations& correlations, double independent_samples) {
  const std::size_t k = correlations.out_of_fold.size();
  std::vector<bool> result(k, false);
  if (!can_tell_noise(independent_samples)) return result;
  for (std::size_t c = 0; c < k; ++c) result[c] = correlations.out_of_fold[c] > correlations.noise_thresholds[c];
  const std::vector<bool> pairs = found_pairs(correlations, independent_samples);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i]) result[i % k] = true;
  }
  return result;
}

std::vector<bool> Model::found_pairs() const { return treecca::found_pairs(correlations, effective_samples); }

std::vector<bool> Model::found() const { return found_components(correlations, effective_samples); }

}  // namespace treecca
