// The gradients of a tree, and their fixed-point form.
//
// A tree of `width` outputs (1, or W for vector leaves) is fitted to g(i, k) = current(i, first + k) - target(i,
// first + k), the derivative of half the squared distance to the target; without a target the current matrix is the
// gradient itself. If rows have weights, gradient and Hessian (otherwise 1) are multiplied by them. Rounding to
// integers once, before the histograms, makes all sums exact.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "samples/peers.hpp"
#include "samples/row_index.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "trees/kernels.hpp"

namespace treecca {

struct GradientSource {
  const Matrix<float>* current = nullptr;  // N x W
  const Matrix<float>* target = nullptr;   // N x W or null
  Index first = 0;                         // first column
  Index width = 1;
  const std::uint32_t* weight = nullptr;  // N, in units; null: every row has one unit
  double units_per_weight = 1;

  float operator()(Index row, Index k) const {
    float value = (*current)(row, first + k);
    if (target != nullptr) value -= (*target)(row, first + k);
    return weight != nullptr ? static_cast<float>(value * (weight[row] / units_per_weight)) : value;
  }
  std::int64_t units(Index row) const { return weight != nullptr ? weight[row] : 1; }

  /// For the kernels, without the weights.
  GradientRows numbers() const {
    return {current->data() + first, current->cols(), target != nullptr ? target->data() + first : nullptr,
            target != nullptr ? target->cols() : 0, static_cast<int>(width)};
  }
};

/// Rows per thread: fewer do not justify a second thread.
inline constexpr Index kGradientBlock = 1 << 14;

/// The largest magnitude of a gradient over the rows of all processes. `differences`: empty, or for width 1 without
/// weights space for the gradients in the order of the rows. Collective; allocates nothing.
/// Failure: Error if a gradient is not finite.
double largest_gradient(const GradientSource& source, std::span<const RowIndex> rows, const Kernels& use,
                        Threads threads, const Peers& peers, std::span<float> differences = {});

/// Lanes of a vector-leaf histogram entry: the components, the row count, padding to full vectors of eight (or four).
constexpr int padded_lanes(Index width) {
  const Index needed = width + 1;
  return static_cast<int>(needed <= 4 ? 4 : (needed + 7) / 8 * 8);
}

/// Number of bits for a count of up to n rows.
constexpr int count_bits_for(Index n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))); }

/// The largest integer for a gradient such that the sum of n of them cannot overflow next to a count of `units`.
constexpr std::int64_t scalar_limit(Index n, Index units) {
  const int bits = 63 - count_bits_for(n) - count_bits_for(units);
  return (std::int64_t{1} << (bits < 30 ? bits : 30)) - 1;
}
constexpr std::int64_t lane_limit(Index n) {
  return std::int64_t{INT32_MAX} / static_cast<std::int64_t>(n > 0 ? n : 1);
}

/// Nearest integer, halves away from zero (no call into the maths library: this runs once per row and component).
inline std::int64_t to_fixed(float gradient, double scale) {
  const double scaled = static_cast<double>(gradient) * scale;
  return static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
}

}  // namespace treecca
