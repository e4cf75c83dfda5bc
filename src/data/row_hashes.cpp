#include "data/row_hashes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/parallel.hpp"
#include "support/random.hpp"

namespace treecca {

std::vector<std::uint64_t> row_hashes(const std::vector<MatrixView>& views, Threads threads) {
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(views[0].rows()), 0);
  for (std::size_t v = 0; v < views.size(); ++v) {
    const MatrixView& values = views[v];
    parallel_for(values.rows(), threads, [&](Index i) {
      std::uint64_t sum = hashes[static_cast<std::size_t>(i)];
      for (Index j = 0; j < values.cols(); ++j) {
        const auto value = static_cast<float>(values.value(i, j)) + 0.0F;  // -0 is 0
        const std::uint64_t place = (std::uint64_t{v} << 32) + static_cast<std::uint64_t>(j);
        sum +=
            mix_bits((place << 20) ^ (std::isnan(value) ? 1 : std::bit_cast<std::uint32_t>(value)) ^ mix_bits(place));
      }
      hashes[static_cast<std::size_t>(i)] = sum;
    });
  }
  for (std::uint64_t& hash : hashes) hash = mix_bits(hash) % kRowHashes;
  return hashes;
}

std::vector<std::uint64_t> lowest_row_hashes(const std::vector<MatrixView>& views, const Samples& samples,
                                             std::size_t count, Threads threads) {
  constexpr double kMostRepeats = 0.1;
  std::vector<std::uint64_t> hashes = row_hashes(views, threads);
  if (!samples.peers().alone()) {
    std::string bytes;
    append_bytes(bytes, std::span<const std::uint64_t>(hashes));
    hashes.clear();
    for (const std::string& part : samples.peers().gather(bytes)) {
      const auto theirs = values_from<std::uint64_t>(part);
      hashes.insert(hashes.end(), theirs.begin(), theirs.end());
    }
  }
  const auto rows = static_cast<double>(hashes.size());
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  if (static_cast<double>(hashes.size()) <= (1 - kMostRepeats) * rows) return {};
  if (hashes.size() > count) hashes.resize(count);
  return hashes;
}

}  // namespace treecca
