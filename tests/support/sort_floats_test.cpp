#include "support/sort_floats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>

namespace treecca {
namespace {

/// The total order of IEEE 754, as plainly as its definition: sign and magnitude.
bool before(std::uint32_t a, std::uint32_t b) {
  const auto place = [](std::uint32_t bits) {
    const auto magnitude = static_cast<std::int64_t>(bits & 0x7fffffffU);
    return bits >> 31U == 0 ? magnitude : -1 - magnitude;
  };
  return place(a) < place(b);
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

std::vector<float> from_bits(const std::vector<std::uint32_t>& bits) {
  std::vector<float> values;
  for (const std::uint32_t one : bits) values.push_back(std::bit_cast<float>(one));
  return values;
}

void expect_sorted_as_by_std_sort(std::vector<float> values, std::vector<float>& scratch) {
  std::vector<std::uint32_t> expected = bits_of(values);
  std::sort(expected.begin(), expected.end(), before);
  sort_floats(values, scratch);
  EXPECT_EQ(bits_of(values), expected) << values.size() << " values";
}

TEST(SortFloats, AnyBitsInTheTotalOrder) {  // denormals, both zeros, infinities and all patterns of NaN among them
  std::mt19937 generator(1);
  std::vector<float> scratch;
  for (const std::size_t n : {0, 1, 2, 3, 50, 99, 100, 101, 5000, 300}) {
    std::vector<std::uint32_t> bits(n);
    for (std::uint32_t& one : bits) one = static_cast<std::uint32_t>(generator());
    expect_sorted_as_by_std_sort(from_bits(bits), scratch);
    for (std::uint32_t& one : bits) one &= 0x807fffffU;  // zeros and denormals
    expect_sorted_as_by_std_sort(from_bits(bits), scratch);
    for (std::uint32_t& one : bits) one |= 0x7f800000U;  // infinities and NaN
    expect_sorted_as_by_std_sort(from_bits(bits), scratch);
  }
}

TEST(SortFloats, DigitsThatAllValuesShareAreSkipped) {
  std::mt19937 generator(2);
  std::vector<float> scratch(7);
  for (const std::uint32_t varying : {0U, 0x000007ffU, 0x003ff800U, 0xffc00000U, 0x000007f0U, 0xffc007ffU}) {
    std::vector<std::uint32_t> bits(1000);
    for (std::uint32_t& one : bits)
      one = (static_cast<std::uint32_t>(generator()) & varying) | (0x3f812345U & ~varying);
    expect_sorted_as_by_std_sort(from_bits(bits), scratch);
  }
}

TEST(SortFloats, SpecialValuesByName) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
  const std::vector<float> ascending{-kInfinity, -1, -kDenormal, -0.0F, 0.0F, kDenormal, 1, kInfinity};
  std::vector<float> many;
  std::vector<float> expected;
  for (const float value : ascending) expected.insert(expected.end(), 100, value);
  for (int i = 0; i < 100; ++i) many.insert(many.end(), ascending.rbegin(), ascending.rend());
  std::vector<float> scratch;
  sort_floats(many, scratch);
  EXPECT_EQ(bits_of(many), bits_of(expected));
}

}  // namespace
}  // namespace treecca
