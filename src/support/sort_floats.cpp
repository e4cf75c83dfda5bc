#include "support/sort_floats.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace treecca {
namespace {

constexpr std::size_t kFewValues = 100;
constexpr int kDigits = 3;
constexpr int kDigitBits = 11;
constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;

/// An unsigned number in the order of the values: all bits of negative numbers are flipped, of others only the sign.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits ^ ((0U - (bits >> 31U)) | 0x80000000U);
}

std::size_t digit(std::uint32_t key, int d) { return (key >> (d * kDigitBits)) & (kBuckets - 1); }

}  // namespace

void sort_floats(std::vector<float>& values, std::vector<float>& scratch) {
  const std::size_t n = values.size();
  if (n < kFewValues) {
    std::sort(values.begin(), values.end(), [](float a, float b) { return key_of(a) < key_of(b); });
    return;
  }
  scratch.resize(n);
  std::array<std::array<std::uint32_t, kBuckets>, kDigits> places{};
  for (const float value : values) {
    const std::uint32_t key = key_of(value);
    for (int d = 0; d < kDigits; ++d) ++places[d][digit(key, d)];
  }
  for (int d = 0; d < kDigits; ++d) {
    auto& place = places[d];
    if (place[digit(key_of(values[0]), d)] == n) continue;  // all values have the same digit
    std::uint32_t sum = 0;
    for (std::uint32_t& count : place) sum += std::exchange(count, sum);
    for (const float value : values) scratch[place[digit(key_of(value), d)]++] = value;
    values.swap(scratch);
  }
}

}  // namespace treecca
