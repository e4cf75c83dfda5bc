#include "trees/gradients.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {

double largest_gradient(const GradientSource& source, std::span<const RowIndex> rows, Threads threads,
                        const Peers& peers) {
  std::atomic<float> largest{0.0F};
  parallel_blocks(static_cast<Index>(rows.size()), kGradientBlock, threads, [&](Index begin, Index end) {
    float here = 0.0F;
    for (const RowIndex row : rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))) {
      for (Index k = 0; k < source.width; ++k) {
        const float magnitude = std::fabs(source(row, k));
        if (!(magnitude <= here)) here = std::isnan(magnitude) ? std::numeric_limits<float>::infinity() : magnitude;
      }
    }
    float known = largest.load(std::memory_order_relaxed);
    while (known < here && !largest.compare_exchange_weak(known, here, std::memory_order_relaxed)) {
    }
  });
  const double result = peers.max(static_cast<double>(largest.load()));
  if (!std::isfinite(result)) throw Error("The embeddings grew without bound. Lower learning_rate.");
  return result;
}

}  // namespace treecca
