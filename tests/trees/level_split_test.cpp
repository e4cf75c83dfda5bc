#include "trees/level_split.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace treecca {
namespace {

/// Random sums of `levels` levels and, last, missing values.
LevelSums random_sums(Index levels, Index width, bool missing, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  LevelSums sums{width, {}, {}};
  for (Index level = 0; level <= levels; ++level) {
    const bool present = level < levels || missing;
    sums.count.push_back(present ? static_cast<double>(5 + generator() % 20) : 0.0);
    for (Index k = 0; k < width; ++k) sums.gradients.push_back(std::round(100 * normal(generator) * sums.count.back()));
  }
  return sums;
}

/// Of the entries in a set (bits) on the left; -1 where a side is too small.
double score_of(const LevelSums& sums, unsigned set, const SplitInput& input) {
  double score = 0;
  for (const unsigned side : {set, ~set}) {
    double count = 0;
    std::vector<double> sum(static_cast<std::size_t>(sums.width), 0.0);
    for (Index entry = 0; entry < sums.entries(); ++entry) {
      if (((side >> entry) & 1U) == 0) continue;
      count += sums.count[static_cast<std::size_t>(entry)];
      for (Index k = 0; k < sums.width; ++k) sum[static_cast<std::size_t>(k)] += sums.gradient(entry)[k];
    }
    if (count < input.min_child_weight) return -1;
    for (const double x : sum) score += x * x / (count + input.reg_lambda);
  }
  return score;
}

double best_of_all_sets(const LevelSums& sums, const SplitInput& input) {
  double best = -1;
  for (unsigned set = 1; set < (1U << sums.entries()) - 1; ++set) best = std::max(best, score_of(sums, set, input));
  return best;
}

unsigned set_of(const LevelSplit& split, Index levels) {
  unsigned set = split.missing_left ? 1U << levels : 0;
  for (Index level = 0; level < levels; ++level) {
    if (split.left.contains(static_cast<std::size_t>(level))) set |= 1U << level;
  }
  return set;
}

SplitInput input_with(double reg_lambda, double min_child_weight = 1) { return {0, reg_lambda, min_child_weight}; }

TEST(LevelSplit, IsTheBestOfAllSetsForOneOutput) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    for (const Index levels : {2, 3, 4, 5, 9}) {
      const LevelSums sums = random_sums(levels, 1, seed % 2 == 0, seed);
      const SplitInput input = input_with(seed % 3 == 0 ? 0 : 2.5);
      const LevelSplit split = best_level_split(sums, input, 1);
      EXPECT_NEAR(split.score, best_of_all_sets(sums, input), 1e-9 * split.score) << levels << " levels, seed " << seed;
      EXPECT_NEAR(split.score, score_of(sums, set_of(split, levels), input), 1e-9 * split.score);
    }
  }
}

TEST(LevelSplit, IsTheBestOfAllSetsForFewLevelsWhateverTheLimits) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const LevelSums sums = random_sums(4, 3, seed % 2 == 0, seed);
    const SplitInput input = input_with(1, 20);
    const LevelSplit split = best_level_split(sums, input, 20);
    const double best = best_of_all_sets(sums, input);
    EXPECT_NEAR(split.score, best, 1e-9 * std::abs(best)) << seed;
  }
}

TEST(LevelSplit, IsNearlyTheBestOfAllSetsForSeveralOutputs) {
  double worst = 1, sum = 0;
  int count = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    for (const Index width : {2, 3, 6}) {
      const LevelSums sums = random_sums(9, width, seed % 2 == 0, 1000 + seed);
      const SplitInput input = input_with(1);
      const LevelSplit split = best_level_split(sums, input, 1);
      EXPECT_NEAR(split.score, score_of(sums, set_of(split, 9), input), 1e-9 * split.score);
      const double part = split.score / best_of_all_sets(sums, input);
      EXPECT_LE(part, 1 + 1e-9);
      worst = std::min(worst, part);
      sum += part;
      ++count;
    }
  }
  EXPECT_GT(worst, 0.75);
  EXPECT_GT(sum / count, 0.98);
}

/// Outputs that are multiples of one have its order.
TEST(LevelSplit, OfOneDirectionIsExactForSeveralOutputs) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const LevelSums one = random_sums(8, 1, true, seed);
    LevelSums three{3, one.count, {}};
    for (const double g : one.gradients) three.gradients.insert(three.gradients.end(), {3 * g, -2 * g, 0.5 * g});
    const double best = best_level_split(one, input_with(1), 1).score;
    EXPECT_NEAR(best_level_split(three, input_with(1), 1).score, (9 + 4 + 0.25) * best, 1e-9 * best);
  }
}

TEST(LevelSplit, KeepsRareLevelsTogether) {
  LevelSums sums = random_sums(8, 1, true, 3);
  for (const std::size_t rare : {1U, 4U, 6U}) {
    sums.count[rare] = 2;
    sums.gradients[rare] = rare == 4 ? 1e4 : -1e4;
  }
  const LevelSplit split = best_level_split(sums, input_with(1), 5);
  EXPECT_GT(split.score, 0);
  EXPECT_EQ(split.left.contains(1), split.left.contains(4));
  EXPECT_EQ(split.left.contains(1), split.left.contains(6));
  EXPECT_NE(best_level_split(sums, input_with(1), 1).left, split.left);
}

TEST(LevelSplit, NeedsTwoEntriesAndRowsOnBothSides) {
  LevelSums sums = random_sums(6, 2, false, 5);
  EXPECT_GT(best_level_split(sums, input_with(1), 1).score, 0);
  EXPECT_EQ(best_level_split(sums, input_with(1, 1000), 1).score, -1);
  std::fill(sums.count.begin() + 1, sums.count.end(), 0.0);
  EXPECT_EQ(best_level_split(sums, input_with(1), 1).score, -1);
  sums.count.back() = 7;  // a level against the missing values
  const LevelSplit split = best_level_split(sums, input_with(1), 1);
  EXPECT_GT(split.score, 0);
  EXPECT_NE(split.left.contains(0), split.missing_left);
}

TEST(LevelSplit, HasNoSetForAbsentLevels) {
  LevelSums sums = random_sums(7, 1, false, 6);
  sums.count[2] = sums.count[5] = 0;
  sums.gradients[2] = sums.gradients[5] = 0;
  const LevelSplit split = best_level_split(sums, input_with(1), 1);
  EXPECT_FALSE(split.left.contains(2));
  EXPECT_FALSE(split.left.contains(5));
}

}  // namespace
}  // namespace treecca
