#include "screen/permuted_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(PermutedScores, LeaveNothingOfThePairing) {
  const Matrix<float> x = testing::normal_matrix(200, 5, 1);  // twice the same table
  std::vector<BinnedView> views;
  std::vector<std::vector<RankBins>> bins;
  for (int v = 0; v < 2; ++v) {
    views.emplace_back(View{"x", x}, 255, 1);
    bins.push_back(rank_bins(views.back(), 1));
  }
  const PermutedScores shuffles = permuted_scores(views, bins, {}, 30, 0, 1);
  ASSERT_EQ(shuffles.maxima.size(), 30U);
  EXPECT_TRUE(std::is_sorted(shuffles.maxima.begin(), shuffles.maxima.end(), std::greater<>()));
  EXPECT_LT(shuffles.maxima.front(), 5);  // 25 pairs, 30 times; the true pairs score above 20
  EXPECT_GT(shuffles.maxima.back(), 0);
  for (const double middle : shuffles.medians) {
    EXPECT_GT(middle, 0.5);  // about the median of the best of five
    EXPECT_LT(middle, 2);
  }
  EXPECT_EQ(permuted_scores(views, bins, {}, 30, 0, 3).maxima, shuffles.maxima);
  EXPECT_NE(permuted_scores(views, bins, {}, 30, 1, 1).maxima, shuffles.maxima);
  EXPECT_TRUE(permuted_scores(views, bins, {}, 0, 0, 1).maxima.empty());
}

TEST(PermutedScores, PValuesCountTheDataAsOneOfTheShuffles) {
  const std::vector<double> maxima{5, 4, 3, 2};
  EXPECT_DOUBLE_EQ(permutation_p_value(maxima, 6), 0.2);
  EXPECT_DOUBLE_EQ(permutation_p_value(maxima, 4), 0.6);
  EXPECT_DOUBLE_EQ(permutation_p_value(maxima, -1), 1);
  EXPECT_DOUBLE_EQ(permutation_p_value({}, 1), 1);
}

}  // namespace
}  // namespace treecca
