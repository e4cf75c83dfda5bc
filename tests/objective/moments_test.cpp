#include "objective/moments.hpp"

#include <gtest/gtest.h>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(Moments, OneFoldIsTheTextbookCovariance) {
  const Matrix<float> a = testing::normal_matrix(5000, 2, 1);
  const Matrix<float> b = testing::normal_matrix(5000, 2, 2);
  const Moments moments = moments_of({&a, &b}, make_folds(5000, 0, {}, 0), 1);
  Eigen::MatrixXd z(5000, 4);
  for (Index i = 0; i < 5000; ++i) z.row(i) << a(i, 0), a(i, 1), b(i, 0), b(i, 1);
  const Eigen::MatrixXd centred = z.rowwise() - z.colwise().mean();
  const Eigen::MatrixXd expected = centred.transpose() * centred / 4999.0;
  EXPECT_LT((moments.covariance() - expected).norm(), 1e-12);
}

TEST(Moments, AreTakenAroundTheMeanOfEachFold) {
  // The same numbers plus a large offset per fold: nothing may change.
  const Matrix<float> plain = testing::normal_matrix(999, 3, 1);
  const Folds folds = make_folds(999, 3, {}, 7);
  Matrix<float> shifted = plain;
  for (Index i = 0; i < 999; ++i) {
    for (Index k = 0; k < 3; ++k) shifted(i, k) += 1024.0F * static_cast<float>(folds.of_row[i]);
  }
  const Eigen::MatrixXd expected = moments_of({&plain}, folds, 1).covariance();
  EXPECT_LT((moments_of({&shifted}, folds, 1).covariance() - expected).norm(), 1e-4);
}

TEST(Moments, LeavingOneFoldOutIsTheSameAsNotHavingIt) {
  const Matrix<float> z = testing::normal_matrix(900, 2, 5);
  const Folds folds = make_folds(900, 3, {}, 1);
  const Moments all = moments_of({&z}, folds, 1);
  const Eigen::MatrixXd by_hand = (all.scatter[0] + all.scatter[2]) / (all.count[0] + all.count[2] - 2);
  EXPECT_LT((all.covariance_without(1) - by_hand).norm(), 1e-12);
}

TEST(Moments, DoNotDependOnThreads) {
  const Matrix<float> z = testing::normal_matrix(50000, 4, 5);
  const Folds folds = make_folds(50000, 3, {}, 1);
  const Moments one = moments_of({&z}, folds, 1);
  const Moments four = moments_of({&z}, folds, 4);
  for (int f = 0; f < 3; ++f) {
    EXPECT_EQ(one.scatter[f], four.scatter[f]);
    EXPECT_EQ(one.mean[f], four.mean[f]);
  }
}

TEST(EyLoss, TwoViewsByHand) {
  // V_1 = 4, V_2 = 9, C = 5: -2 (5 + 5) + 13^2.
  const Eigen::MatrixXd covariance = (Eigen::MatrixXd(2, 2) << 4, 5, 5, 9).finished();
  EXPECT_DOUBLE_EQ(ey_loss(covariance, 2), -20.0 + 169.0);
}

}  // namespace
}  // namespace treecca
