// The hot loops in their plainest form: what the kernels must equal, bit for bit, and the baseline of their timings.
#pragma once

#include <vector>

#include "trees/kernels.hpp"

namespace treecca::testing {

/// Component k of a row.
inline float plain_difference(const GradientRows& values, RowIndex row, int k) {
  const auto i = static_cast<std::ptrdiff_t>(row);
  const float current = values.current[i * values.current_stride + k];
  return values.target == nullptr ? current : current - values.target[i * values.target_stride + k];
}

inline void plain_build_scalar(const std::uint8_t* const* columns, int n_features, const RowIndex* rows,
                               std::ptrdiff_t n, const std::int64_t* gradients, std::int64_t* const* histograms) {
  for (int f = 0; f < n_features; ++f) {
    for (std::ptrdiff_t i = 0; i < n; ++i) histograms[f][columns[f][rows[i]]] += gradients[i];
  }
}

inline void plain_build_lanes(const std::uint8_t* const* columns, int n_features, const RowIndex* rows,
                              std::ptrdiff_t n, const std::int32_t* gradients, int lanes,
                              std::int32_t* const* histograms) {
  for (int f = 0; f < n_features; ++f) {
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      for (int k = 0; k < lanes; ++k) histograms[f][columns[f][rows[i]] * lanes + k] += gradients[i * lanes + k];
    }
  }
}

/// Best split of entries (gradient sums of `width` components, then the count) with `n_bins` bins and the missing entry
/// behind them: highest score, then missing right, then lowest bin.
inline Split plain_best_split(const std::vector<std::vector<double>>& entries, int width, const SplitInput& input) {
  std::vector<double> total(static_cast<std::size_t>(width) + 1, 0.0);
  for (const auto& entry : entries) {
    for (int k = 0; k <= width; ++k) total[k] += entry[k];
  }
  const std::vector<double>& missing = entries[input.n_bins];
  const bool any_missing = missing[width] > 0;
  Split best;
  for (int direction = 0; direction < (any_missing ? 2 : 1); ++direction) {
    std::vector<double> left(total.size(), 0.0);
    if (direction == 1) left = missing;
    for (int b = 0; b < input.n_bins - (any_missing ? 0 : 1); ++b) {
      double left_squares = 0;
      double right_squares = 0;
      for (int k = 0; k <= width; ++k) left[k] += entries[b][k];
      for (int k = 0; k < width; ++k) {
        left_squares += left[k] * left[k];
        right_squares += (total[k] - left[k]) * (total[k] - left[k]);
      }
      const double n_left = left[width];
      const double n_right = total[width] - n_left;
      if (n_left < input.min_child_weight || n_right < input.min_child_weight) continue;
      const double left_weight = n_left + input.reg_lambda;
      const double right_weight = n_right + input.reg_lambda;
      const double score = (left_squares * right_weight + right_squares * left_weight) / (left_weight * right_weight);
      if (score > best.score) best = {score, b, direction == 1};
    }
  }
  return best;
}

}  // namespace treecca::testing
