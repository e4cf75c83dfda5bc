#include "fit/choose.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/eigen_matrices.hpp"
#include "helpers/folds.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

FoldCovariances with_correlation(const std::vector<double>& of_fold) {
  FoldCovariances covariances;
  for (const double r : of_fold) covariances.push_back({1, r, r, 1});
  return covariances;
}

/// Two variates of correlation r.
std::vector<Matrix<double>> correlated(Index rows, double r, std::uint64_t seed) {
  const MatrixXd a = random_normal(rows, 1, seed);
  const MatrixXd b = r * a + std::sqrt(1 - r * r) * random_normal(rows, 1, seed + 1);
  return {to_matrix<double>(centred(a)), to_matrix<double>(centred(b))};
}

/// One component of two views with these correlations in three folds.
Candidate candidate(double weight, const std::vector<double>& plain, const std::vector<double>& shipped) {
  Candidate result;
  result.linear_weight = weight;
  result.rotation.assign(2, MatrixXd::Identity(1, 1));
  result.plain = with_correlation(plain);
  result.shipped = with_correlation(shipped);
  result.held_out = correlated(60, 0.5, 1);
  return result;
}

double error_of(const std::vector<Matrix<double>>& variates, const Samples& samples) {
  return standard_errors(variates, samples).per_component[0];
}

TEST(Choose, EachFoldContributesTheCandidateThatTheOthersChoose) {
  const std::vector<Candidate> candidates{candidate(0, {0.8, 0.1, 0.3}, {0.9, 0.2, 0.4}),
                                          candidate(1, {0.1, 0.6, 0.3}, {0.2, 0.7, 0.4})};
  const Choice choice = choose(candidates, Samples(60));
  EXPECT_EQ(choice.best, 0U);
  // Without fold 0 the second is best, without fold 1 and without fold 2 the first.
  EXPECT_NEAR(choice.out_of_fold.per_component[0], (0.2 + 0.2 + 0.4) / 3, 1e-12);
}

TEST(Choose, ThePlainMeanOverRepeatsDecides) {
  const std::vector<Candidate> candidates{candidate(0, {0.3, 0.3, 0.3}, {0.9, 0.9, 0.9}),
                                          candidate(1, {0.4, 0.4, 0.4}, {0.5, 0.5, 0.5})};
  const Choice choice = choose(candidates, Samples(60));
  EXPECT_EQ(choice.best, 1U);
  EXPECT_NEAR(choice.out_of_fold.per_component[0], 0.5, 1e-12);
}

TEST(Choose, TiesTakeTheFirst) {
  std::vector<Candidate> candidates{candidate(0, {0.3, 0.3, 0.3}, {0.1, 0.1, 0.1}),
                                    candidate(0.5, {0.3, 0.3, 0.3}, {0.2, 0.2, 0.2}),
                                    candidate(1, {0.3, 0.3, 0.3}, {0.3, 0.3, 0.3})};
  Choice choice = choose(candidates, Samples(60));
  EXPECT_EQ(choice.best, 0U);
  EXPECT_NEAR(choice.out_of_fold.per_component[0], 0.1, 1e-12);
  for (Candidate& one : candidates) one.plain = with_correlation({-0.3, -0.1, -0.2});  // nothing found: all 0
  EXPECT_EQ(choose(candidates, Samples(60)).best, 0U);
}

TEST(Choose, ErrorsGrowAsTheShippedMeanDoesAtMostTwice) {
  const Samples samples(60);
  const double own = error_of(correlated(60, 0.5, 1), samples);
  const auto stretched = [&](double plain, double shipped) {
    const std::vector<double> p(3, plain);
    const std::vector<double> s(3, shipped);
    return choose({candidate(0, p, s)}, samples).standard_errors.per_component[0] / own;
  };
  EXPECT_NEAR(stretched(0.4, 0.6), 1.5, 1e-9);
  EXPECT_NEAR(stretched(0.4, 0.2), 1, 1e-9);
  EXPECT_NEAR(stretched(0.1, 0.9), 2, 1e-9);
}

TEST(StandardErrors, OfNormalVariatesAreThoseOfTheory) {
  for (const double r : {0.0, 0.6, 0.9}) {
    const double expected = (1 - r * r) / std::sqrt(4000.0);
    EXPECT_NEAR(error_of(correlated(4000, r, 3), Samples(4000)), expected, 0.1 * expected) << r;
  }
}

TEST(StandardErrors, CountGroupsOnce) {
  const std::vector<Matrix<double>> once = correlated(500, 0.6, 5);
  std::vector<Matrix<double>> repeated(2, Matrix<double>(2000, 1));
  std::vector<std::int64_t> groups;
  for (Index i = 0; i < 2000; ++i) {
    for (std::size_t v = 0; v < 2; ++v) repeated[v](i, 0) = once[v](i % 500, 0);
    groups.push_back(i % 500);
  }
  const double alone = error_of(once, Samples(500));
  EXPECT_NEAR(error_of(repeated, Samples(2000, testing::in_groups(groups))), alone, 1e-9);
  EXPECT_NEAR(error_of(repeated, Samples(2000)), alone / 2, 0.01 * alone);
}

TEST(StandardErrors, RowsWithoutWeightDoNotCount) {
  const std::vector<Matrix<double>> half = correlated(300, 0.6, 7);
  std::vector<Matrix<double>> all(2, Matrix<double>(600, 1));
  std::vector<double> weights;
  for (Index i = 0; i < 600; ++i) {
    for (std::size_t v = 0; v < 2; ++v) all[v](i, 0) = i < 300 ? half[v](i, 0) : 100.0 * static_cast<double>(i);
    weights.push_back(i < 300 ? 3 : 0);
  }
  EXPECT_NEAR(error_of(all, Samples(600, testing::with_weights(weights))), error_of(half, Samples(300)), 1e-6);
}

TEST(StandardErrors, OfThreeViewsAreThoseOfTheMeanOverPairsAndOfEachPair) {
  // The third view repeats the second: the mean correlation of pairs is (2 r + 1) / 3.
  std::vector<Matrix<double>> three = correlated(4000, 0.6, 9);
  const double of_two = error_of(three, Samples(4000));
  three.push_back(three[1]);
  const StandardErrors errors = standard_errors(three, Samples(4000));
  EXPECT_NEAR(errors.per_component[0], of_two * 2 / 3, 1e-9);
  const std::vector<double> pairs{0, of_two, of_two, of_two, 0, 0, of_two, 0, 0};
  ASSERT_EQ(errors.pairwise.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_NEAR(errors.pairwise[i], pairs[i], 1e-9) << i;
}

TEST(StandardErrors, OfConstantVariatesAreZero) {
  const StandardErrors errors = standard_errors({Matrix<double>(50, 2), Matrix<double>(50, 2)}, Samples(50));
  EXPECT_EQ(errors.per_component, (std::vector<double>{0, 0}));
  EXPECT_EQ(errors.pairwise, std::vector<double>(8, 0.0));
}

}  // namespace
}  // namespace treecca
