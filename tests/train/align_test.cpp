#include "train/align.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

MatrixXd cross_correlation(const Matrix<float>& a, const Matrix<float>& b) {
  MatrixXd product = MatrixXd::Zero(a.cols(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = 0; k < a.cols(); ++k) {
      for (Index l = 0; l < b.cols(); ++l) product(k, l) += static_cast<double>(a(i, k)) * b(i, l);
    }
  }
  return product / static_cast<double>(a.rows());
}

Matrix<float> times(const Matrix<float>& z, const std::vector<float>& signs) {
  Matrix<float> result(z.rows(), z.cols());
  for (Index i = 0; i < z.rows(); ++i) {
    for (Index c = 0; c < z.cols(); ++c) result(i, c) = signs[static_cast<std::size_t>(c)] * z(i, c);
  }
  return result;
}

TEST(Align, ARotatedCopyComesBack) {
  const Matrix<float> z = testing::normal_matrix(50, 2, 1);
  Matrix<float> turned(50, 2);
  for (Index i = 0; i < 50; ++i) {  // a quarter turn and a reflection
    turned(i, 0) = -z(i, 1);
    turned(i, 1) = -z(i, 0);
  }
  align_to(turned, z);
  for (std::size_t i = 0; i < z.values().size(); ++i) ASSERT_NEAR(turned.values()[i], z.values()[i], 1e-5);
}

TEST(Align, OnlyOpposedDirectionsAreFlipped) {
  MatrixXd correlation(3, 3);
  correlation << 0.6, 0.3, 0, 0.1, -0.5, 0, 0, 0, -0.05;
  const MatrixXd reflection = reflection_of_opposed(correlation, 0.1);
  EXPECT_TRUE((reflection * reflection.transpose()).isApprox(MatrixXd::Identity(3, 3), 1e-12));
  const MatrixXd after = correlation * reflection;
  EXPECT_GT(after(1, 1), 0.4);
  EXPECT_GT(after(0, 0), 0.5);
  EXPECT_NEAR(reflection(2, 2), 1, 1e-12);  // -0.05 may be chance
  EXPECT_TRUE(reflection_of_opposed(-MatrixXd::Identity(2, 2) * 0.09, 0.1).isIdentity());
}

TEST(Align, EveryViewIsFlippedTowardsEarlierOnes) {
  const Matrix<float> z = testing::normal_matrix(400, 3, 2);
  Matrix<float> first = z;
  std::vector<Matrix<float>> others{times(z, {-1, 1, -1}), times(z, {1, -1, -1})};
  reflect_opposed({&first, &others[0], &others[1]}, testing::folds_of(400));
  EXPECT_EQ(first, z);
  for (const Matrix<float>& other : others) {
    const MatrixXd correlation = cross_correlation(z, other);
    for (Index c = 0; c < 3; ++c) EXPECT_GT(correlation(c, c), 0.85);
  }
}

TEST(Align, ChanceIsLeftAlone) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Matrix<float> first = testing::normal_matrix(100, 3, 2 * seed);
    const Matrix<float> before = testing::normal_matrix(100, 3, 2 * seed + 1);
    Matrix<float> second = before;
    reflect_opposed({&first, &second}, testing::folds_of(100));
    EXPECT_EQ(second, before) << seed;
  }
}

/// Twenty groups of equal rows: what 400 rows would not show by chance, 20 samples may.
TEST(Align, ChanceIsThatOfTheIndependentSamples) {
  const Matrix<float> draws = testing::normal_matrix(20, 2, 6);
  Matrix<float> first(400, 2);
  Matrix<float> before(400, 2);
  std::vector<std::int64_t> groups;
  for (Index i = 0; i < 400; ++i) {
    groups.push_back(i / 20);
    for (Index c = 0; c < 2; ++c) {
      first(i, c) = draws(i / 20, c);
      before(i, c) = -0.4F * draws(i / 20, c);
    }
  }
  Matrix<float> second = before;
  reflect_opposed({&first, &second}, testing::folds_of(400, 0, 0, testing::in_groups(groups)));
  EXPECT_EQ(second, before);
  reflect_opposed({&first, &second}, testing::folds_of(400));
  EXPECT_NE(second, before);
}

/// Left out are rows in which the views agree or oppose each other strongly: the others decide, as if they were alone.
TEST(Align, RowsThatAreLeftOutHaveNoSay) {
  std::vector<bool> left_out(200, false);
  for (std::size_t i = 0; i < 200; i += 2) left_out[i] = true;
  const Matrix<float> z = testing::normal_matrix(200, 2, 3);
  for (const float sign : {1.0F, -1.0F}) {
    Matrix<float> first = z;
    Matrix<float> second = z;
    for (Index i = 0; i < 200; ++i) {
      const bool absent = left_out[static_cast<std::size_t>(i)];
      for (Index c = 0; c < 2; ++c) second(i, c) *= absent ? -5 * sign : sign;
    }
    const Matrix<float> before = second;
    reflect_opposed({&first, &second}, make_folds(testing::kept_samples(Samples(200)), 4, 0, left_out));
    for (Index i = 1; i < 200; i += 2) {
      for (Index c = 0; c < 2; ++c) ASSERT_NEAR(second(i, c), z(i, c), 1e-5);
    }
    EXPECT_EQ(second == before, sign > 0);
  }
}

/// The result of a fit does not depend on the sign of a view.
TEST(Align, AViewMayBeNegated) {
  constexpr Index kRows = 600;
  const Matrix<float> normal = testing::normal_matrix(2 * kRows, 3, 5);
  for (const float sign : {1.0F, -1.0F}) {
    Matrix<float> x(2 * kRows, 1);
    Matrix<float> y(2 * kRows, 1);
    for (Index i = 0; i < 2 * kRows; ++i) {
      x(i, 0) = normal(i, 0) + 0.2F * normal(i, 1);
      y(i, 0) = sign * (normal(i, 0) + 0.2F * normal(i, 2));
    }
    Parameters parameters = testing::plain_parameters();
    parameters.n_components = 1;
    const MatrixView x_train(x.data(), kRows, 1);
    const MatrixView y_train(y.data(), kRows, 1);
    const FitResult result = fit({{"x", x_train}, {"y", y_train}}, parameters);
    EXPECT_GT(result.model.correlations.out_of_fold[0], 0.94) << sign;
  }
}

}  // namespace
}  // namespace treecca
