#include "linear/standardise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "helpers/eigen_matrices.hpp"

namespace treecca {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

TEST(Standardise, MeansAndDeviationsWithGapsFilledByTheMean) {
  Matrix<float> x(4, 3);
  x.values() = {1,        0.1f, kMissing,  //
                3,        0.1f, kMissing,  //
                kMissing, 0.1f, kMissing,  //
                8,        0.1f, std::numeric_limits<float>::infinity()};
  const ColumnScaling plain = column_scaling(x, false, 1);
  EXPECT_EQ(plain.mean, (std::vector<double>{4, 0.1f, 0}));
  EXPECT_EQ(plain.weight, (std::vector<double>{1, 0, 0}));  // constant and empty columns weigh nothing
  const ColumnScaling scaled = column_scaling(x, true, 1);
  EXPECT_EQ(scaled.mean, plain.mean);
  EXPECT_NEAR(scaled.weight[0], std::sqrt(3.0 / (9 + 1 + 16)), 1e-15);
  EXPECT_EQ(scaled.weight[1], 0);
  EXPECT_EQ(scaled_value(x, scaled, 2, 0), 0);
  EXPECT_EQ(scaled_value(x, plain, 3, 0), 4);
  EXPECT_EQ(scaled_value(x, plain, 3, 2), 0);
}

TEST(Standardise, RowsAndColumnsAreTransposesOfEachOther) {
  const Matrix<float> x = to_matrix<float>(random_normal(90, 6, 1));
  const MatrixView view(x);
  const ColumnScaling scaling = column_scaling(view, true, 2);
  const TallMatrix rows = scaled_rows(view, scaling);
  const TallMatrix columns = scaled_columns(view, scaling);
  RowMatrix all(90, 6);
  rows.load(0, 90, all);
  RowMatrix part(4, 90);
  columns.load(1, 5, part);
  EXPECT_EQ(part, RowMatrix(all.middleCols(1, 4).transpose()));
  EXPECT_TRUE(covariance_of(all).diagonal().isOnes(1e-12));
  EXPECT_LT(all.colwise().sum().cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Standardise, HugeTinyAndShiftedColumns) {
  Eigen::MatrixXd values = random_normal(5000, 3, 2);
  values.col(0) *= 1e-30;
  values.col(1) *= 1e30;
  values.col(2).array() += 1e4;
  const Matrix<float> x = to_matrix<float>(values);
  const MatrixView view(x);
  const ColumnScaling scaling = column_scaling(view, true, 1);
  RowMatrix all(5000, 3);
  scaled_rows(view, scaling).load(0, 5000, all);
  EXPECT_TRUE(covariance_of(all).diagonal().isOnes(1e-10));
}

TEST(Standardise, EqualBitsForAnyNumberOfThreads) {
  const Matrix<float> x = to_matrix<float>(random_normal(20000, 3, 3));
  const ColumnScaling one = column_scaling(x, true, 1);
  for (const int threads : {2, 4}) {
    const ColumnScaling more = column_scaling(x, true, threads);
    EXPECT_EQ(one.mean, more.mean);
    EXPECT_EQ(one.weight, more.weight);
  }
}

}  // namespace
}  // namespace treecca
