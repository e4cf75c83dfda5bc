#include "objective/pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/eigen_matrices.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

TEST(Pairs, EqualsTheCorrelationsOfTheVariates) {
  const int n = 200;
  const int m = 3;
  const int k = 4;
  std::vector<MatrixXd> per_view;
  for (std::uint64_t v = 0; v < m; ++v) per_view.push_back(random_normal(k, k, 16 + v));
  const MatrixXd z = random_normal(n, m * k, 30);
  const std::vector<double> pairwise = pair_correlations(variate_covariances(per_view, covariance_of(z)), m);
  const std::vector<double> mean = mean_over_pairs(pairwise, m);
  ASSERT_EQ(pairwise.size(), static_cast<std::size_t>(m * m * k));
  std::vector<MatrixXd> variates;
  for (int v = 0; v < m; ++v) {
    MatrixXd y = z.middleCols(v * k, k) * per_view[v];
    y.rowwise() -= y.colwise().mean().eval();
    variates.push_back(y.colwise().normalized());
  }
  for (int c = 0; c < k; ++c) {
    double sum = 0;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) {
        const double expected = variates[i].col(c).dot(variates[j].col(c));
        EXPECT_NEAR(pairwise[(i * m + j) * k + c], expected, 1e-10);
        if (i < j) sum += expected;
      }
    }
    EXPECT_NEAR(mean[c], sum / 3, 1e-10);
  }
}

TEST(Pairs, AVariateWithoutVarianceCorrelatesZero) {
  MatrixXd z = random_normal(100, 4, 18);
  z.col(1) = z.col(0);
  std::vector<MatrixXd> per_view(2, MatrixXd::Identity(2, 2));
  per_view[0] << 1, 0, -1, 0;  // the difference of two equal columns, and nothing
  const std::vector<double> pairwise = pair_correlations(variate_covariances(per_view, covariance_of(z / 3)), 2);
  EXPECT_EQ(mean_over_pairs(pairwise, 2), std::vector<double>(2, 0.0));
}

TEST(Pairs, MatricesOfDifferentHeightsAndSumsOverFolds) {
  const MatrixXd z = random_normal(120, 5, 19);
  const std::vector<MatrixXd> per_view = {random_normal(2, 2, 20), random_normal(3, 2, 21)};
  const std::vector<double> table = variate_covariances(per_view, covariance_of(z));
  MatrixXd y(120, 4);
  y << z.leftCols(2) * per_view[0], z.rightCols(3) * per_view[1];
  const MatrixXd expected = covariance_of(y);
  for (int c = 0; c < 2; ++c) {
    EXPECT_NEAR(table[0 + c], expected(c, c), 1e-10);
    EXPECT_NEAR(table[2 + c], expected(c, 2 + c), 1e-10);
    EXPECT_NEAR(table[4 + c], expected(2 + c, c), 1e-10);
    EXPECT_NEAR(table[6 + c], expected(2 + c, 2 + c), 1e-10);
  }
  EXPECT_NEAR(pair_correlations(table, 2)[2], expected(0, 2) / std::sqrt(expected(0, 0) * expected(2, 2)), 1e-10);
}

TEST(Pairs, CorrelationsStayInRangeAndHugeVariancesAreNoTrouble) {
  // Two views, one component: variances 1e200, covariance a rounding error above what they allow.
  EXPECT_EQ(pair_correlations({1e200, 1.0000001e200, 1.0000001e200, 1e200}, 2), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(pair_correlations({1e200, -2e200, -2e200, 1e200}, 2), (std::vector<double>{1, -1, -1, 1}));
  EXPECT_EQ(pair_correlations({1, 0.5, 0.5, 0}, 2), (std::vector<double>{1, 0, 0, 0}));
}

TEST(Pairs, TheMeanIsOverPairsOfDifferentViews) {
  // Three views, one component: pairs 0.2, 0.4 and 0.9.
  EXPECT_DOUBLE_EQ(mean_over_pairs({1, 0.2, 0.4, 0.2, 1, 0.9, 0.4, 0.9, 1}, 3)[0], 0.5);
  EXPECT_EQ(mean_over_pairs({1, 1}, 1), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace treecca
