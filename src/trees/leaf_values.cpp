#include "trees/leaf_values.hpp"

#include <algorithm>

#include "support/parallel.hpp"

namespace treecca {
namespace {

constexpr double kMaxExact = 0x1.0p50;  // sums of integers below it are exact in doubles

/// Nearest integer, for magnitudes up to kMaxExact. Avoids integer types, so that it vectorises on all instruction
/// sets.
double rounded(double value) {
  constexpr double kShift = 0x1.8p52;
  return (value + kShift) - kShift;
}

}  // namespace

LeafValues::LeafValues(Index width, Index max_leaves, Index total_rows, const Kernels& use)
    : kernels_(use), limit_(kMaxExact / static_cast<double>(std::max<Index>(1, total_rows))) {
  sums_.reserve(static_cast<std::size_t>(max_leaves * width));
  values_.reserve(static_cast<std::size_t>(max_leaves * width));
}

std::span<const float> LeafValues::fit(Grower& grown, Index n, const GradientSource& gradients,
                                       const GrowSettings& settings, Threads threads, const Peers& peers) {
  const std::span<const RowIndex> rows = grown.rows().first(static_cast<std::size_t>(n));
  const std::span<const GrownNode> nodes = grown.nodes();
  const Index width = gradients.width;
  const auto leaves = static_cast<Index>(nodes.size() + 1) / 2;
  sums_.assign(static_cast<std::size_t>(leaves * width), 0.0);
  values_.assign(sums_.size(), 0.0F);
  const double largest = largest_gradient(gradients, rows, kernels_, threads, peers);
  if (!(largest > 0)) return values_;
  const double scale = limit_ / largest;
  parallel_for(static_cast<Index>(nodes.size()), threads.for_work(n * width), [&](Index at) {
    const GrownNode& node = nodes[static_cast<std::size_t>(at)];
    if (node.feature >= 0) return;
    double* sums = sums_.data() + node.leaf * width;
    if (gradients.weight == nullptr) {
      kernels_.sum_rounded(gradients.numbers(), rows.data() + node.begin, node.end - node.begin, scale, sums);
      return;
    }
    for (Index i = node.begin; i < node.end; ++i) {
      const RowIndex row = rows[static_cast<std::size_t>(i)];
      for (Index k = 0; k < width; ++k) sums[k] += rounded(static_cast<double>(gradients(row, k)) * scale);
    }
  });
  peers.sum(std::span<double>(sums_));
  for (const GrownNode& node : nodes) {
    const double weight = node.weight + settings.reg_lambda;
    if (node.feature >= 0 || !(weight > 0)) continue;
    for (Index k = 0; k < width; ++k) {
      const auto at = static_cast<std::size_t>(node.leaf * width + k);
      values_[at] = leaf_value(-settings.learning_rate * sums_[at] / scale / weight, settings);
    }
  }
  return values_;
}

}  // namespace treecca
