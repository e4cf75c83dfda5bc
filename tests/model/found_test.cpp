#include <gtest/gtest.h>

#include "treecca/metrics.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

/// Three views and two components: the first pair shares component 1, nobody shares component 2.
Correlations strong_pair() {
  Correlations result;
  result.pairwise.assign(18, 0.0);
  result.pairwise_standard_errors.assign(18, 0.05);
  for (const std::size_t view : {0U, 1U, 2U}) {
    for (const std::size_t c : {0U, 1U}) {
      result.pairwise[view * 8 + c] = 1;
      result.pairwise_standard_errors[view * 8 + c] = 0;
    }
  }
  result.pairwise[2] = result.pairwise[6] = 0.75;  // views 0 and 1, component 0
  result.out_of_fold = {0.25, 0.0};
  result.standard_errors = {0.1, 0.1};
  return result;
}

/// With standard errors as they are, taken to be those on Fisher's scale.
void judge(Correlations& correlations, double rows, double independent) {
  set_noise_thresholds(correlations, {correlations.standard_errors, correlations.pairwise_standard_errors}, rows,
                       independent);
}

TEST(Found, AStrongPairIsFoundThoughTheMeanIsBelowItsThreshold) {
  Correlations correlations = strong_pair();
  judge(correlations, 200, 200);
  EXPECT_LT(correlations.out_of_fold[0], correlations.noise_thresholds[0]);
  EXPECT_EQ(found_components(correlations, 200), (std::vector<bool>{true, false}));
  std::vector<bool> expected(18, false);
  expected[2] = expected[6] = true;  // a view is no pair with itself
  EXPECT_EQ(found_pairs(correlations, 200), expected);
}

TEST(Found, TheMeanOfManyWeakPairsIsFoundToo) {
  Correlations correlations = strong_pair();
  correlations.pairwise[2] = correlations.pairwise[6] = 0.25;
  correlations.out_of_fold[1] = 0.25;
  correlations.standard_errors[1] = 0.03;
  judge(correlations, 200, 200);
  EXPECT_EQ(found_components(correlations, 200), (std::vector<bool>{false, true}));
}

TEST(Found, ComparisonsShareTheLevel) {
  Correlations three = strong_pair();
  judge(three, 200, 50);
  EXPECT_EQ(three.noise_thresholds, noise_thresholds(three.standard_errors, {3 * 200, 50, 2 * 2}));
  const std::vector<double> pairs = noise_thresholds(three.pairwise_standard_errors, {200, 50, 2 * 2 * 3});
  EXPECT_EQ(three.pairwise_noise_thresholds[2], pairs[2]);
  EXPECT_EQ(three.pairwise_noise_thresholds[0], 0);  // of a view with itself
  Correlations two;
  two.out_of_fold = {0.5};
  two.standard_errors = {0.1};
  two.pairwise = {1, 0.5, 0.5, 1};
  two.pairwise_standard_errors = {0, 0.1, 0.1, 0};
  judge(two, 50, 50);
  EXPECT_EQ(two.noise_thresholds[0], two.pairwise_noise_thresholds[1]);  // the mean is the pair
  Correlations table;                                                    // of one table
  table.out_of_fold = {0.5};
  table.standard_errors = {0.1};
  judge(table, 50, 50);
  EXPECT_EQ(table.noise_thresholds, two.noise_thresholds);
  EXPECT_TRUE(found_pairs(table, 50).empty());
}

TEST(Found, NothingWithTooFewSamples) {
  Correlations correlations = strong_pair();
  judge(correlations, 7, 7);
  EXPECT_EQ(found_components(correlations, 7), (std::vector<bool>{false, false}));
  EXPECT_EQ(found_pairs(correlations, 7), std::vector<bool>(18, false));
}

TEST(Found, IsEmptyWithoutCrossFitting) {
  EXPECT_TRUE(found_components({}, 100).empty());
  EXPECT_TRUE(found_pairs({}, 100).empty());
}

}  // namespace
}  // namespace treecca
