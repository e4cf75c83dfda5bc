#include "trees/gradients.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {

static std::uint32_t largest_weighted(const GradientSource& source, std::span<const RowIndex> rows) {
  std::uint32_t largest = 0;
  for (const RowIndex row : rows) {
    for (Index k = 0; k < source.width; ++k) {
      largest = std::max(largest, std::bit_cast<std::uint32_t>(std::fabs(source(row, k))));
    }
  }
  return largest;
}

double largest_gradient(const GradientSource& source, std::span<const RowIndex> rows, const Kernels& use,
                        Threads threads, const Peers& peers, std::span<float> differences) {
  std::atomic<std::uint32_t> largest{0};  // of numbers that are not negative, the bits have the order of the numbers
  const GradientRows numbers = source.numbers();
  const auto n = static_cast<Index>(rows.size());
  parallel_blocks(n, kGradientBlock, threads.for_work(n * source.width), [&](Index begin, Index end) {
    const auto block = rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    const std::uint32_t here = source.weight != nullptr
                                   ? largest_weighted(source, block)
                                   : use.largest_difference(numbers, block.data(), end - begin,
                                                            differences.empty() ? nullptr : differences.data() + begin);
    std::uint32_t known = largest.load(std::memory_order_relaxed);
    while (known < here && !largest.compare_exchange_weak(known, here, std::memory_order_relaxed)) {
    }
  });
  const auto own = static_cast<double>(std::bit_cast<float>(largest.load()));
  const double result = peers.max(std::isnan(own) ? std::numeric_limits<double>::infinity() : own);
  if (!std::isfinite(result)) throw Error("The embeddings grew without bound. Lower learning_rate.");
  return result;
}

}  // namespace treecca
