// Which components, and which pairs of views in them, can be told from noise.
#include <algorithm>
#include <cmath>

#include "treecca/metrics.hpp"
#include "treecca/model.hpp"

namespace treecca {

void set_noise_thresholds(Correlations& correlations, double independent_samples) {
  const auto k = static_cast<double>(correlations.out_of_fold.size());
  const std::size_t tables = correlations.pairwise_standard_errors.size();
  const double views = tables == 0 ? 1.0 : std::round(std::sqrt(static_cast<double>(tables) / k));
  const double pairs = views * (views - 1) / 2;
  // With two views the mean is their only pair; otherwise there are two ways to be found.
  const double ways = views > 2 ? 2.0 : 1.0;
  correlations.noise_thresholds = noise_thresholds(correlations.standard_errors, ways * k, independent_samples);
  correlations.pairwise_noise_thresholds =
      noise_thresholds(correlations.pairwise_standard_errors, ways * k * pairs, independent_samples);
}

std::vector<bool> found_pairs(const Correlations& correlations, double independent_samples) {
  const std::vector<double>& thresholds = correlations.pairwise_noise_thresholds;
  std::vector<bool> result(thresholds.size(), false);
  const std::size_t k = correlations.out_of_fold.size();
  if (k == 0 || !can_tell_noise(independent_samples)) return result;
  const auto views = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(thresholds.size() / k))));
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

std::vector<bool> Model::found_pairs() const {
  return treecca::found_pairs(correlations, static_cast<double>(independent_samples));
}

std::vector<bool> Model::found() const {
  return found_components(correlations, static_cast<double>(independent_samples));
}

}  // namespace treecca
