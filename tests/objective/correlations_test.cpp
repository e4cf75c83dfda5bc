#include "objective/correlations.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"
#include "objective/pairs.hpp"
#include "objective/rotation.hpp"

namespace treecca {
namespace {

double signed_sum(const ComponentCorrelations& correlations) {
  return std::accumulate(correlations.per_component.begin(), correlations.per_component.end(), 0.0);
}

TEST(OutOfFoldCorrelations, OfNoiseHaveNoBiasWhileInSampleOnesDo) {
  double out_of_fold = 0;
  double first_out_of_fold = 0;
  double in_sample_first = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Matrix<float> a = testing::normal_matrix(60, 4, 2 * seed);
    const Matrix<float> b = testing::normal_matrix(60, 4, 2 * seed + 1);
    const Moments moments = moments_of({&a, &b}, testing::folds_of(60, 5, seed), 1);
    const ComponentCorrelations found = out_of_fold_correlations(moments, 2);
    out_of_fold += signed_sum(found) / 40;
    first_out_of_fold += found.per_component[0] / 40;
    in_sample_first += in_sample_correlations(moments, 2).per_component[0] / 40;
  }
  EXPECT_LT(std::abs(out_of_fold), 0.12);
  EXPECT_LT(std::abs(first_out_of_fold), 0.06);
  EXPECT_GT(in_sample_first, 0.15);
}

/// Embeddings of two shared signals in a basis that is mixed, the same way in both views.
Moments planted(Index n, double sign_of_second) {
  const Matrix<float> shared = testing::normal_matrix(n, 2, 1);
  Matrix<float> a = testing::normal_matrix(n, 2, 2);
  Matrix<float> b = testing::normal_matrix(n, 2, 3);
  for (Index i = 0; i < n; ++i) {
    const float first = shared(i, 0);
    const float second = shared(i, 1);
    const auto opposed = static_cast<float>(sign_of_second);
    const float noise[4] = {0.3F * a(i, 0), 0.6F * a(i, 1), 0.3F * b(i, 0), 0.6F * b(i, 1)};
    a(i, 0) = 0.8F * (first + noise[0]) + 0.6F * (second + noise[1]);
    a(i, 1) = -0.6F * (first + noise[0]) + 0.8F * (second + noise[1]);
    b(i, 0) = 0.8F * (first + noise[2]) + 0.6F * (opposed * second + noise[3]);
    b(i, 1) = -0.6F * (first + noise[2]) + 0.8F * (opposed * second + noise[3]);
  }
  return moments_of({&a, &b}, testing::folds_of(n, 5, 0), 1);
}

TEST(OutOfFoldCorrelations, FindPlantedSignalsInAMixedBasis) {
  const Moments moments = planted(3000, 1);
  const double first = 1 / 1.09;
  const double second = 1 / 1.36;
  for (const auto& found : {out_of_fold_correlations(moments, 2), in_sample_correlations(moments, 2)}) {
    EXPECT_NEAR(found.per_component[0], first, 0.02);
    EXPECT_NEAR(found.per_component[1], second, 0.02);
  }
  EXPECT_LT(in_sample_correlations(moments, 2, false).per_component[0], first - 0.02);
}

TEST(OutOfFoldCorrelations, DoNotFlipAnOpposedDirection) {
  const ComponentCorrelations found = out_of_fold_correlations(planted(3000, -1), 2);
  EXPECT_NEAR(found.per_component[0], 1 / 1.09, 0.02);
  EXPECT_NEAR(found.per_component[1], -1 / 1.36, 0.02);
  EXPECT_NEAR(found.tcc(), 1 / 1.09, 0.02);
}

/// One covariance per fold for two views and one component of unit variance.
FoldCovariances with_correlations(const std::vector<double>& per_fold) {
  FoldCovariances folds;
  for (const double r : per_fold) folds.push_back({1, r, r, 1});
  return folds;
}

TEST(CorrelationsOfChoice, JudgesEveryFoldByWhatTheOthersChose) {
  // Each candidate is great on one fold and poor on the others: choosing the best on the pool would gain from it.
  const std::vector<FoldCovariances> candidates{with_correlations({0.9, 0.0, 0.0}), with_correlations({0.0, 0.8, 0.0}),
                                                with_correlations({0.1, 0.1, 0.1})};
  EXPECT_NEAR(correlations_of_choice(candidates, 2).per_component[0], 0.0, 1e-12);
  const std::vector<FoldCovariances> judged{with_correlations({0.5, 0.5, 0.5}), with_correlations({0.4, 0.4, 0.4}),
                                            with_correlations({0.3, 0.3, 0.3})};
  // Fold 0 goes with candidate 1, folds 1 and 2 with candidate 0.
  EXPECT_NEAR(correlations_of_choice(candidates, 2, &judged).per_component[0], (0.4 + 0.5 + 0.5) / 3, 1e-12);
}

TEST(FoldRotations, GiveVariatesWithTheCorrelationsThatAreReported) {
  const Moments moments = planted(500, 1);
  const std::vector<Eigen::MatrixXd> like = common_rotation(moments.covariance(), 2).per_view;
  const auto rotations = fold_rotations(moments, 2, like);
  const FoldCovariances reported = out_of_fold_covariances(moments, 2);
  for (std::size_t f = 0; f < 5; ++f) {
    const std::vector<double> covariances = variate_covariances(rotations[f], moments.scatter[f]);
    ASSERT_EQ(covariances.size(), reported[f].covariances.size());
    ASSERT_FALSE(covariances.empty());
    for (std::size_t i = 0; i < covariances.size(); ++i) EXPECT_NEAR(covariances[i], reported[f].covariances[i], 1e-9);
    for (Eigen::Index c = 0; c < 2; ++c) EXPECT_GT(rotations[f][0].col(c).dot(like[0].col(c)), 0);
  }
}

}  // namespace
}  // namespace treecca
