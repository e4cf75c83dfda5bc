#include "linear/stacked_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/eigen_matrices.hpp"
#include "helpers/folds.hpp"
#include "helpers/missing_views.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

MatrixXd standardised(const MatrixXd& x) {
  MatrixXd out = centred(x);
  const double n = static_cast<double>(x.rows() - 1);
  for (Index j = 0; j < out.cols(); ++j) out.col(j) *= std::sqrt(n) / out.col(j).norm();
  return out;
}

TEST(StackedMoments, FoldsEqualTheMomentsOfTheirRows) {
  const Index n = 90;
  const Matrix<float> a = to_matrix<float>(random_normal(n, 3, 1));
  const Matrix<float> b = to_matrix<float>(random_normal(n, 2, 2).array() * 7 + 5);
  std::vector<int> folds(n);
  for (Index i = 0; i < n; ++i) folds[static_cast<std::size_t>(i)] = static_cast<int>(i * i % 3);
  const Samples samples(n);
  const LinearViews views({a, b}, samples, 0, 2);
  const StackedMoments moments = stacked_moments(views, Folds::assigned(samples, 4, true, folds), 2);
  EXPECT_EQ(moments.offset, (std::vector<Index>{0, 3, 5}));
  MatrixXd all(n, 5);
  all << standardised(to_eigen(a)), standardised(to_eigen(b));
  EXPECT_TRUE(moments.total.covariance().isApprox(covariance_of(all), 1e-10));
  ASSERT_EQ(moments.folds.size(), 4u);
  for (int f = 0; f < 2; ++f) {  // i * i % 3 is 0 or 1
    std::vector<Index> own;
    std::vector<Index> rest;
    for (Index i = 0; i < n; ++i) (i * i % 3 == f ? own : rest).push_back(i);
    const RawMoments& fold = moments.folds[static_cast<std::size_t>(f)];
    EXPECT_EQ(fold.count(0, 0), static_cast<double>(own.size()));
    EXPECT_TRUE(fold.covariance().isApprox(covariance_of(all(own, Eigen::all)), 1e-10));
    EXPECT_TRUE((moments.total - fold).covariance().isApprox(covariance_of(all(rest, Eigen::all)), 1e-10));
  }
  EXPECT_EQ(moments.folds[3].count(0, 0), 0);
  EXPECT_TRUE(moments.folds[3].scatter().isZero(0));
  EXPECT_TRUE(moments.folds[3].covariance().isZero(0));
}

TEST(StackedMoments, WeightsCountAsRepeatedRowsAndRowsLeftOutDoNotCount) {
  const Matrix<float> a = to_matrix<float>(random_normal(20, 3, 1));
  const Matrix<float> b = to_matrix<float>(random_normal(20, 2, 2));
  std::vector<double> weights(20, 1.0);
  std::vector<int> folds(20);
  std::vector<Index> rows;  // of the part, as often as they count
  for (Index i = 0; i < 20; ++i) {
    weights[static_cast<std::size_t>(i)] = static_cast<double>(1 + i % 3);
    folds[static_cast<std::size_t>(i)] = static_cast<int>(i % 4) - 1;
    for (Index copy = 0; i % 4 != 0 && copy <= i % 3; ++copy) rows.push_back(i);
  }
  const Samples samples(20, testing::with_weights(weights));
  const LinearViews views({a, b}, samples, 0, 1);
  const StackedMoments moments = stacked_moments(views, Folds::assigned(samples, 3, true, folds), 1);
  MatrixXd all(20, 5);
  all << standardised(to_eigen(a)), standardised(to_eigen(b));
  const MatrixXd repeated = centred(all(rows, Eigen::all));
  const double mean_weight = (7 * 1 + 7 * 2 + 6 * 3) / 20.0;
  EXPECT_NEAR(moments.total.count(0, 0) * mean_weight, static_cast<double>(rows.size()), 1e-4);
  EXPECT_TRUE((moments.total.scatter() * mean_weight).isApprox(repeated.transpose() * repeated, 1e-5));
}

TEST(StackedMoments, WhereRowsLackViewsABlockCountsTheRowsThatHaveBoth) {
  const Index n = 120;
  const Samples samples = testing::with_gaps(Samples(n), 2);
  const Matrix<float> a = to_matrix<float>(random_normal(n, 3, 1));
  const Matrix<float> b = to_matrix<float>(random_normal(n, 2, 2).array() * 7 + 5);
  const Matrix<float> gaps_a = testing::with_gaps(a, 0), gaps_b = testing::with_gaps(b, 1);
  const LinearViews views({gaps_a, gaps_b}, samples, 0, 2);
  const StackedMoments moments = stacked_moments(views, make_folds(samples, 3, 0), 2);
  const MatrixXd covariance = moments.total.covariance();
  const auto rows_of = [&](const Matrix<float>& x, auto&& keep) {
    std::vector<Index> rows;
    for (Index i = 0; i < n; ++i) {
      if (keep(i)) rows.push_back(i);
    }
    return MatrixXd(to_eigen(x)(rows, Eigen::all));
  };
  const auto has = [](Index v) { return [v](Index i) { return !testing::lacks(v, i); }; };
  const auto both = [&](Index i) { return has(0)(i) && has(1)(i); };
  // Columns have unit variance over the rows that have the view; correlations do not depend on scales.
  const MatrixXd own_a = rows_of(a, has(0)), own_b = rows_of(b, has(1));
  EXPECT_TRUE(covariance.topLeftCorner(3, 3).isApprox(covariance_of(standardised(own_a)), 1e-6));
  EXPECT_TRUE(covariance.bottomRightCorner(2, 2).isApprox(covariance_of(standardised(own_b)), 1e-6));
  MatrixXd together(rows_of(a, both).rows(), 5);
  together << rows_of(a, both), rows_of(b, both);
  const MatrixXd expected = covariance_of(together).topRightCorner(3, 2);
  const Eigen::VectorXd scale_a = covariance_of(own_a).diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd scale_b = covariance_of(own_b).diagonal().cwiseSqrt().cwiseInverse();
  EXPECT_TRUE(covariance.topRightCorner(3, 2).isApprox(scale_a.asDiagonal() * expected * scale_b.asDiagonal(), 1e-6));
}

}  // namespace
}  // namespace treecca
