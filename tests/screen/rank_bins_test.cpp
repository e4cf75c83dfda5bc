#include "screen/rank_bins.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace treecca {
namespace {

/// Rows per bin.
std::vector<Index> sizes(const RankBins& bins, const std::vector<Index>& counts) {
  std::vector<Index> result(static_cast<std::size_t>(bins.count), 0);
  for (std::size_t code = 0; code < counts.size(); ++code) result.at(bins.of_code[code]) += counts[code];
  return result;
}

TEST(RankBins, ManyValuesGiveSixBinsOfEqualCounts) {
  std::vector<Index> counts(240, 1);
  counts.push_back(0);
  const RankBins bins = rank_bins(counts);
  EXPECT_EQ(sizes(bins, counts), std::vector<Index>(6, 40));
  for (std::size_t code = 1; code < 240; ++code) EXPECT_LE(bins.of_code[code - 1], bins.of_code[code]);
}

TEST(RankBins, EqualValuesStayTogetherAndTheRestIsSharedOut) {
  std::vector<Index> counts(101, 1);  // 100 zeros and 100 other values
  counts[0] = 100;
  counts.push_back(0);
  EXPECT_EQ(sizes(rank_bins(counts), counts), (std::vector<Index>{100, 20, 20, 20, 20, 20}));
  std::vector<Index> heavy_end(101, 1);
  heavy_end[100] = 100;
  heavy_end.push_back(0);
  const std::vector<Index> found = sizes(rank_bins(heavy_end), heavy_end);
  EXPECT_EQ(found.back(), 100);
  EXPECT_GE(found.size(), 4U);
}

TEST(RankBins, BinaryAndConstantFeatures) {
  EXPECT_EQ(rank_bins({70, 30, 0}).count, 2);
  EXPECT_EQ(rank_bins({97, 3, 0}).count, 1);  // three rows are too few to count cells of a table
  EXPECT_EQ(rank_bins({100, 0}).count, 1);
  EXPECT_EQ(rank_bins({0, 100}).count, 1);  // nothing but missing values
}

TEST(RankBins, MissingValuesAreABinOfTheirOwnWhereTheyAreMany) {
  const std::vector<Index> many{30, 30, 40};
  EXPECT_EQ(sizes(rank_bins(many), many), (std::vector<Index>{30, 30, 40}));
  const std::vector<Index> few{30, 30, 37, 3};
  EXPECT_EQ(sizes(rank_bins(few), few), (std::vector<Index>{30, 33, 37}));
}

TEST(RankBins, EveryBinHasAtLeastTheSquareRootOfTheRows) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Index> counts(1 + random() % 255);
    for (Index& count : counts) count = random() % 3 == 0 ? random() % 60 : random() % 3;
    counts.push_back(random() % 2 == 0 ? 0 : random() % 40);
    const Index rows = std::accumulate(counts.begin(), counts.end(), Index{0});
    if (rows == 0) continue;
    const RankBins bins = rank_bins(counts);
    ASSERT_LE(bins.count, kMaxRankBins);
    if (bins.count == 1) continue;
    for (const Index size : sizes(bins, counts)) {
      ASSERT_GE(static_cast<double>(size), std::sqrt(static_cast<double>(rows))) << trial;
    }
  }
}

}  // namespace
}  // namespace treecca
