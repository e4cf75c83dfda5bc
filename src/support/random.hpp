// Counter-based random numbers: a pure function of a key, so that the draw for (round, view, fold, tree, index) is the
// same in any thread and any order.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace treecca {

/// One mixing step (SplitMix64's finaliser): every input bit affects every output bit.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// The purpose of a stream of draws. Separates equal counters of different purposes.
enum class Draw : std::uint64_t {
  rows = 1,
  columns,
  folds,
  start,
  sketch,
  augment,
  shuffle,
  library,
  gradient_sketch,
  leaf_sweep,
  repeat,
  part,
  permutation,
  subsample
};

class RandomKey {
 public:
  RandomKey(std::uint64_t seed, Draw use, std::initializer_list<std::uint64_t> counters = {})
      : key_(mix_bits(mix_bits(seed) ^ static_cast<std::uint64_t>(use))) {
    for (const std::uint64_t counter : counters) key_ = mix_bits(key_ ^ mix_bits(counter));
  }
  /// 64 random bits for an index.
  std::uint64_t bits(std::uint64_t index) const { return mix_bits(key_ ^ mix_bits(index)); }
  /// Uniform in [0, 1).
  double uniform(std::uint64_t index) const { return static_cast<double>(bits(index) >> 11) * 0x1.0p-53; }
  /// Standard normal (Box-Muller on two independent draws).
  double normal(std::uint64_t index) const {
    const double radius = std::sqrt(-2.0 * std::log1p(-uniform(2 * index)));
    return radius * std::cos(6.283185307179586 * uniform(2 * index + 1));
  }

 private:
  std::uint64_t key_;
};

}  // namespace treecca
