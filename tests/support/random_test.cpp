#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace treecca {
namespace {

/// The generator of Steele, Lea and Flood (2014), seed 0: the first numbers of every implementation.
TEST(MixBits, IsSplitMix64) {
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ULL;
  EXPECT_EQ(mix_bits(0), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(mix_bits(kStep), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(mix_bits(2 * kStep), 0x06C45D188009454FULL);
}

TEST(RandomKey, EveryPartOfTheKeyMatters) {
  std::set<std::uint64_t> draws;
  for (const std::uint64_t seed : {0, 1}) {
    for (const Draw use : {Draw::rows, Draw::columns}) {
      for (const std::uint64_t round : {0, 1}) {
        for (const std::uint64_t view : {0, 1}) {
          for (const std::uint64_t index : {0, 1}) draws.insert(RandomKey(seed, use, {round, view}).bits(index));
        }
      }
    }
  }
  EXPECT_EQ(draws.size(), 32U);
  EXPECT_NE(RandomKey(0, Draw::rows, {1, 2}).bits(0), RandomKey(0, Draw::rows, {2, 1}).bits(0));
  EXPECT_NE(RandomKey(0, Draw::rows, {1}).bits(0), RandomKey(0, Draw::rows, {1, 0}).bits(0));
  EXPECT_EQ(RandomKey(7, Draw::rows, {1, 2}).bits(3), RandomKey(7, Draw::rows, {1, 2}).bits(3));
}

TEST(RandomKey, UniformAndNormalHaveTheirMoments) {
  const RandomKey key(1, Draw::augment);
  constexpr int kDraws = 200'000;
  double mean = 0;
  double square = 0;
  double normal_mean = 0;
  double normal_square = 0;
  double fourth = 0;
  double lagged = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double u = key.uniform(i);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    mean += u / kDraws;
    square += u * u / kDraws;
    const double z = key.normal(i);
    normal_mean += z / kDraws;
    normal_square += z * z / kDraws;
    fourth += z * z * z * z / kDraws;
    lagged += z * key.normal(i + 1) / kDraws;
  }
  EXPECT_NEAR(mean, 0.5, 0.004);  // six standard errors
  EXPECT_NEAR(square, 1.0 / 3, 0.004);
  EXPECT_NEAR(normal_mean, 0, 0.014);
  EXPECT_NEAR(normal_square, 1, 0.02);
  EXPECT_NEAR(fourth, 3, 0.14);
  EXPECT_NEAR(lagged, 0, 0.014);
}

}  // namespace
}  // namespace treecca
