#include "treecca/permutation_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
#include "infer/exchange.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Views of 80 samples; the first feature of the second follows the square of the first one's with this much noise.
struct Case {
  explicit Case(double noise, Index features = 4)
      : a(testing::normal_matrix(80, features, 1)), b(testing::normal_matrix(80, features, 2)) {
    for (Index i = 0; i < 80; ++i) b(i, 0) = a(i, 0) * a(i, 0) + static_cast<float>(noise) * b(i, 0);
  }
  PermutationTest test(const PermutationOptions& options, Index n_jobs = 1) const {
    Parameters parameters;
    parameters.n_components = 2;
    parameters.n_jobs = n_jobs;
    return permutation_test({{"a", a, {}}, {"b", b, {}}}, parameters, options);
  }
  Matrix<float> a, b;
};

PermutationOptions permutations(Index n) {
  PermutationOptions options;
  options.n_permutations = n;
  return options;
}

TEST(PermutationTest, ARelationHasALowPValueAndNoiseAHighOne) {
  const PermutationTest real = Case(0.2).test(permutations(99));
  EXPECT_LE(real.p_values[0], 0.03);
  EXPECT_GT(real.correlations[0], 0.4);
  EXPECT_EQ(real.null.rows(), 99);
  EXPECT_EQ(real.null.cols(), 2);
  const PermutationTest noise = Case(1e6).test(permutations(99));
  EXPECT_GT(noise.p_values[0], 0.05);
  EXPECT_GE(noise.p_values[1], noise.p_values[0]);
}

/// By their definition, from the null distribution that is kept.
TEST(PermutationTest, PValuesFollowFromTheNullDistribution) {
  const PermutationTest test = Case(2).test(permutations(60));
  ASSERT_EQ(test.null.rows(), 60);
  double before = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    Index reached = 0, made = 0;
    for (; made < 60 && reached < 50; ++made) {
      reached += test.null(made, static_cast<Index>(c)) >= test.correlations[c] ? 1 : 0;
    }
    before = std::max(before, reached == 50 ? 50.0 / static_cast<double>(made) : (reached + 1) / 61.0);
    EXPECT_EQ(test.p_values[c], before);
  }
  for (Index i = 0; i < 60; ++i) EXPECT_GE(test.null(i, 0), test.null(i, 1));
  for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(test.pairwise_p_values[2 + c], test.p_values[c]);  // one pair
  EXPECT_TRUE(std::isnan(test.pairwise_p_values[0]));
}

/// Sharing what belongs to a view gives what a test of the permuted table itself gives.
TEST(PermutationTest, PermutedDataGetTheStatisticOfATableInThatOrder) {
  Case one(0.5, 60);  // wide: screened, and reduced to principal axes
  const PermutationTest test = one.test(permutations(1));
  const Exchange exchange(Samples(80), Permute::rows);
  const std::vector<Index> order = exchange.order(0, 1);
  Case other = one;
  for (Index i = 0; i < 80; ++i) {
    for (Index j = 0; j < 60; ++j) other.b(i, j) = one.b(order[static_cast<std::size_t>(i)], j);
  }
  const std::vector<double> alone = other.test(permutations(1)).correlations;
  EXPECT_NEAR(test.null(0, 0), alone[0], 1e-6);  // the higher one of two
  EXPECT_LT(std::min(std::abs(test.null(0, 1) - alone[0]), std::abs(test.null(0, 1) - alone[1])), 1e-6);
}

TEST(PermutationTest, StopsWhenTheDecisionIsClearAndThreadsDoNotMatter) {
  const Case noise(1e6);
  const PermutationTest one = noise.test(permutations(999), 1);
  const PermutationTest two = noise.test(permutations(999), 2);
  EXPECT_LT(one.null.rows(), 999);
  EXPECT_EQ(one.p_values, two.p_values);
  EXPECT_EQ(one.null, two.null);
}

TEST(PermutationTest, ThreeViewsHavePairs) {
  Case related(0.2);
  for (Index i = 0; i < 80; ++i) related.b(i, 0) += 2 * related.a(i, 0);
  const Matrix<float> c = testing::normal_matrix(80, 3, 5);
  Parameters parameters;
  parameters.n_components = 1;
  const PermutationTest test =
      permutation_test({{"a", related.a, {}}, {"b", related.b, {}}, {"c", c, {}}}, parameters, permutations(60));
  EXPECT_EQ(test.pairwise_p_values.size(), 9U);
  EXPECT_LT(test.pairwise_p_values[1], 0.05);  // a and b
  EXPECT_GT(test.pairwise_p_values[2], 0.05);  // a and c
}

TEST(PermutationTest, BadInputIsRefused) {
  const Case one(1);
  expect_error<UsageError>([&] { one.test(permutations(0)); }, {"n_permutations must be at least 1, not 0"});
  PermutationOptions unequal = permutations(9);
  for (Index i = 0; i < 80; ++i) unequal.fit.groups.push_back(static_cast<std::int64_t>(std::sqrt(i)));
  expect_error<DataError>([&] { one.test(unequal); }, {"No two groups"});
  expect_error<UsageError>([] { permute_kind("columns"); }, {"not \"columns\""});
  std::vector<std::string> warned;
  PermutationOptions few = permutations(9);
  few.fit.on_warning = [&](const std::string& warning) { warned.push_back(warning); };
  one.test(few);
  EXPECT_EQ(warned, std::vector<std::string>{"With 9 permutations no p-value can be below 0.1. Ask for at least 99."});
}

}  // namespace
}  // namespace treecca
