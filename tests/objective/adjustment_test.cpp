#include "objective/adjustment.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "helpers/random_data.hpp"
#include "linalg/row_products.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

struct Case {
  Case() : samples(90), z(testing::normal_matrix(90, 2, 1)), covariates(90, 2) {
    const Matrix<float> c = testing::normal_matrix(90, 2, 2);
    std::vector<int> fold_of;
    for (Index i = 0; i < 90; ++i) {
      fold_of.push_back(i % 10 == 9 ? -1 : static_cast<int>(i % 3));
      for (Index j = 0; j < 2; ++j) {
        covariates(i, j) = c(i, j);
        z(i, j) += 3 * c(i, 0) - c(i, 1) + 100.0F * static_cast<float>(i % 3);  // folds have offsets
      }
    }
    folds = Folds::assigned(samples, 3, true, fold_of);
  }
  Samples samples;
  Matrix<float> z;
  Matrix<double> covariates;
  Folds folds;
};

/// The definition: each fold's rows around its means, regressed on the other folds.
TEST(Adjustment, IsTheResidualOfARegressionOnTheOtherFolds) {
  const Case one;
  Matrix<float> adjusted = one.z;
  Adjustment(one.covariates, one.folds).apply(adjusted);
  const auto centred = [&](const auto& values, Index columns, int fold) {
    MatrixXd rows(0, columns);
    for (Index i = 0; i < 90; ++i) {
      if (one.folds.of_row[static_cast<std::size_t>(i)] != fold) continue;
      rows.conservativeResize(rows.rows() + 1, columns);
      for (Index j = 0; j < columns; ++j) rows(rows.rows() - 1, j) = values(i, j);
    }
    return MatrixXd(rows.rowwise() - rows.colwise().mean());
  };
  for (int f = 0; f < 3; ++f) {
    MatrixXd c(0, 2), y(0, 2);
    for (int g = 0; g < 3; ++g) {
      if (g == f) continue;
      const MatrixXd more_c = centred(one.covariates, 2, g), more_y = centred(one.z, 2, g);
      c.conservativeResize(c.rows() + more_c.rows(), 2);
      y.conservativeResize(y.rows() + more_y.rows(), 2);
      c.bottomRows(more_c.rows()) = more_c;
      y.bottomRows(more_y.rows()) = more_y;
    }
    const MatrixXd coefficients = c.colPivHouseholderQr().solve(y);
    const MatrixXd expected = centred(one.z, 2, f) - centred(one.covariates, 2, f) * coefficients;
    EXPECT_LT((centred(adjusted, 2, f) - expected).cwiseAbs().maxCoeff(), 1e-4);
  }
  for (Index i = 9; i < 90; i += 10) EXPECT_EQ(adjusted(i, 0), one.z(i, 0));  // rows in no fold
}

TEST(Adjustment, CoefficientsOfAllFoldsAndColumnsThatRepeat) {
  const Case one;
  const MatrixXd known = Adjustment(one.covariates, one.folds).coefficients(one.z);
  EXPECT_NEAR(known(0, 0), 3, 0.5);
  EXPECT_NEAR(known(1, 1), -1, 0.5);
  Matrix<double> twice(90, 4);
  for (Index i = 0; i < 90; ++i) {
    for (Index j = 0; j < 4; ++j) twice(i, j) = one.covariates(i, j % 2);
  }
  Matrix<float> once_adjusted = one.z, twice_adjusted = one.z;
  Adjustment(one.covariates, one.folds).apply(once_adjusted);
  Adjustment(twice, one.folds).apply(twice_adjusted);
  for (Index i = 0; i < 90; ++i) EXPECT_NEAR(once_adjusted(i, 0), twice_adjusted(i, 0), 1e-3);
}

/// With one sample far out, the regression on the other folds would extrapolate to it in all views: its residuals,
/// large everywhere, made correlations of 1.
TEST(Adjustment, OneSampleFarOutIsNotExtrapolatedTo) {
  const auto adjusted_value = [](double far, int fold_of_it) {
    constexpr Index kRows = 91;
    const Samples samples(kRows);
    const Matrix<float> normal = testing::normal_matrix(kRows, 2, 4);
    Matrix<double> age(kRows, 1);
    Matrix<float> z(kRows, 1);
    std::vector<int> fold_of;
    for (Index i = 0; i < kRows; ++i) {
      const bool last = i == kRows - 1;
      age(i, 0) = last ? far : double{normal(i, 0)};
      z(i, 0) = normal(i, 1) + (last ? 0.0F : normal(i, 0));
      fold_of.push_back(last ? fold_of_it : static_cast<int>(i % 3));
    }
    const Folds folds = Folds::assigned(samples, 3, true, fold_of);
    const Adjustment adjustment(age, folds);
    if (fold_of_it >= 0) {
      adjustment.apply(z);
    } else {
      subtract_effect(age, adjustment.coefficients(z), z);
    }
    return std::abs(z(kRows - 1, 0));
  };
  EXPECT_GT(adjusted_value(5, 0), 3);  // 5 is within reach of the others
  EXPECT_LT(adjusted_value(100, 0), 3);
  EXPECT_LT(adjusted_value(100, -1), 3);  // also of all folds to a sample in none
}

/// A column that is constant in the rows of the regression has no effect, not one of rounding errors.
TEST(Adjustment, AColumnThatOnlyALeftOutRowHasIsIgnored) {
  constexpr Index kRows = 60;
  const Samples samples(kRows);
  Matrix<float> z = testing::normal_matrix(kRows, 1, 6);
  Matrix<double> smoker(kRows, 1);
  std::vector<int> fold_of;
  for (Index i = 0; i < kRows; ++i) {
    smoker(i, 0) = i == 0 ? 7.6 : -0.13;
    fold_of.push_back(i < 12 ? -1 : static_cast<int>(i % 3));
  }
  const Folds folds = Folds::assigned(samples, 3, true, fold_of);
  EXPECT_EQ(Adjustment(smoker, folds).coefficients(z).norm(), 0);
}

TEST(Adjustment, SubtractsAnEffectFromAllRows) {
  Case one;
  MatrixXd coefficients(2, 2);
  coefficients << 1, 2, 3, 4;
  Matrix<float> z = one.z;
  subtract_effect(one.covariates, coefficients, z);
  EXPECT_NEAR(z(9, 1), one.z(9, 1) - 2 * one.covariates(9, 0) - 4 * one.covariates(9, 1), 1e-4);
}

}  // namespace
}  // namespace treecca
