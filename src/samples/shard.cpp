#include "samples/shard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/random.hpp"
#include "treecca/error.hpp"

namespace treecca {

Shard::Shard(Index rows, Peers peers, std::vector<std::int64_t> numbers) : peers_(peers), rows_(rows), total_(rows) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(peers.size()), 0);
  counts[static_cast<std::size_t>(peers.rank())] = rows;
  peers.sum(std::span<std::int64_t>(counts));
  total_ = 0;
  for (const std::int64_t count : counts) total_ += count;
  for (int r = 0; r < peers.rank(); ++r) first_ += counts[static_cast<std::size_t>(r)];
  // Either every process with rows numbers them, or none.
  const Index numbered = peers.sum(static_cast<Index>(numbers.size()));
  peers.agree([&] {
    if (numbered == 0) return;
    if (static_cast<Index>(numbers.size()) != rows) {
      throw DataError(fmt::format("There are {} row numbers for {} rows.", numbers.size(), rows));
    }
    const auto wrong =
        std::find_if(numbers.begin(), numbers.end(), [&](std::int64_t n) { return n < 0 || n >= total_; });
    if (wrong != numbers.end()) {
      throw DataError(fmt::format("Row number {} is not between 0 and {}.", *wrong, total_ - 1));
    }
  });
  // Each number once, or two rows that share one would be drawn alike. Then the sum of their hashes is known.
  if (numbered > 0) {
    std::uint64_t excess = 0;  // modulo 2^64, as sums of many numbers may be
    for (Index i = 0; i < rows; ++i) {
      excess += mix_bits(static_cast<std::uint64_t>(numbers[static_cast<std::size_t>(i)])) -
                mix_bits(static_cast<std::uint64_t>(first_ + i));
    }
    if (peers.sum(static_cast<Index>(excess)) != 0) {
      throw DataError("Every row needs a number of its own; some are there twice.");
    }
    numbers_ = std::move(numbers);
  }
}

}  // namespace treecca
