#include "linear/stacked_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/eigen_matrices.hpp"
#include "helpers/folds.hpp"
#include "linalg/decompose.hpp"

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
  const StackedMoments moments = stacked_moments({a, b}, 400, Folds::assigned(samples, 4, true, folds), 0, 2);
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
    EXPECT_EQ(fold.count, static_cast<double>(own.size()));
    EXPECT_TRUE(fold.covariance().isApprox(covariance_of(all(own, Eigen::all)), 1e-10));
    EXPECT_TRUE((moments.total - fold).covariance().isApprox(covariance_of(all(rest, Eigen::all)), 1e-10));
  }
  EXPECT_EQ(moments.folds[3].count, 0);
  EXPECT_TRUE(moments.folds[3].scatter().isZero(0));
  EXPECT_TRUE(moments.folds[3].covariance().isZero(0));
}

TEST(StackedMoments, WideViewsAreReducedToTheirPrincipalComponents) {
  const Index n = 60;
  const Matrix<float> wide = to_matrix<float>(random_normal(n, 100, 3));
  const Matrix<float> small = to_matrix<float>(random_normal(n, 4, 4));
  const Matrix<float> constant(n, 50, 1.0f);
  const StackedMoments moments = stacked_moments({wide, small, constant}, 400, testing::folds_of(n), 0, 1);
  EXPECT_EQ(moments.offset, (std::vector<Index>{0, 20, 24, 25}));
  ASSERT_EQ(moments.folds.size(), 1u);
  const MatrixXd covariance = moments.total.covariance();
  const Eigen::VectorXd singular = singular_values(standardised(to_eigen(wide))).s;
  const Eigen::VectorXd variances = singular.array().square() / 59.0;
  EXPECT_TRUE(covariance.topLeftCorner(20, 20).isApprox(MatrixXd(variances.head(20).asDiagonal()), 1e-8));
  EXPECT_TRUE(covariance.row(24).isZero(0));
  EXPECT_EQ(stacked_moments({wide, small}, 3, testing::folds_of(n), 0, 1).offset, (std::vector<Index>{0, 3, 6}));
}

}  // namespace
}  // namespace treecca
