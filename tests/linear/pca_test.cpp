#include "linear/pca.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "helpers/eigen_matrices.hpp"
#include "linalg/decompose.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Float data of a spectrum that falls by `decay` from component to component, with offsets.
Matrix<float> decaying(Index n, Index p, double decay, std::uint64_t seed) {
  const Index r = std::min(n, p);
  MatrixXd left = random_normal(n, r, seed);
  for (Index c = 0; c < r; ++c) left.col(c) *= std::pow(decay, c);
  MatrixXd values = left * random_normal(r, p, seed + 1) / std::sqrt(static_cast<double>(r));
  values.array() += 3.0;
  return to_matrix<float>(values);
}

/// Gaps filled with the column's mean, centred, scaled on request: in doubles, column by column.
MatrixXd prepared(const Matrix<float>& x, bool standardise) {
  MatrixXd out = to_eigen(x);
  for (Index j = 0; j < out.cols(); ++j) {
    double sum = 0;
    Index count = 0;
    for (Index i = 0; i < out.rows(); ++i) {
      if (std::isnan(out(i, j))) continue;
      sum += out(i, j);
      ++count;
    }
    for (Index i = 0; i < out.rows(); ++i) {
      out(i, j) = std::isnan(out(i, j)) ? 0 : out(i, j) - sum / static_cast<double>(count);
    }
    const double deviation = std::sqrt(out.col(j).squaredNorm() / static_cast<double>(out.rows() - 1));
    if (standardise && deviation > 0) out.col(j) /= deviation;
  }
  return out;
}

/// (x - mean) * weights for every row, missing values counted as the mean.
MatrixXd mapped(const Matrix<float>& x, const BaseMargin& map) {
  MatrixXd difference = to_eigen(x);
  for (Index i = 0; i < difference.rows(); ++i) {
    for (Index j = 0; j < difference.cols(); ++j) {
      double& value = difference(i, j);
      value = std::isnan(value) ? 0 : value - map.mean[static_cast<std::size_t>(j)];
    }
  }
  return difference * to_eigen(map.weights);
}

void expect_signs(const PrincipalComponents& pca) {
  const MatrixXd weights = to_eigen(pca.map.weights);
  for (Index c = 0; c < pca.rank; ++c) {
    Index largest = 0;
    weights.col(c).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(weights(largest, c), 0) << c;
  }
}

/// Against the singular value decomposition of the prepared data.
void expect_equals_svd(const PrincipalComponents& pca, const Matrix<float>& x, Index k, bool standardise,
                       double tolerance) {
  const MatrixXd data = prepared(x, standardise);
  const SingularValues svd = singular_values(data);
  const MatrixXd scores = to_eigen(pca.scores);
  ASSERT_EQ(scores.rows(), x.rows());
  ASSERT_EQ(scores.cols(), k);
  EXPECT_EQ(pca.rank, k);
  for (Index c = 0; c < k; ++c) {
    const double singular = svd.s[c];
    EXPECT_NEAR(pca.singular_values[static_cast<std::size_t>(c)], singular, tolerance * singular);
    const VectorXd u = svd.u.col(c);
    EXPECT_LT(std::min((scores.col(c) - u).norm(), (scores.col(c) + u).norm()), tolerance) << c;
  }
  EXPECT_TRUE((scores.transpose() * scores).isIdentity(tolerance));
  EXPECT_TRUE(mapped(x, pca.map).isApprox(scores, 1e-9));
  expect_signs(pca);
}

TEST(Pca, TallEqualsTheSingularValueDecomposition) {
  const Matrix<float> x = decaying(300, 12, 0.8, 1);
  for (const bool standardise : {false, true}) {
    expect_equals_svd(principal_components(x, 5, standardise, 0, 2), x, 5, standardise, 1e-7);
  }
}

TEST(Pca, WideEqualsTheSingularValueDecomposition) {
  const Matrix<float> x = decaying(40, 700, 0.8, 2);
  for (const bool standardise : {false, true}) {
    expect_equals_svd(principal_components(x, 5, standardise, 0, 2), x, 5, standardise, 1e-7);
  }
}

TEST(Pca, MissingValuesCountAsTheMean) {
  Matrix<float> x = decaying(200, 9, 0.7, 3);
  const RandomKey key(3, Draw::rows);
  for (Index i = 0; i < 200 * 9; ++i) {
    if (key.uniform(static_cast<std::uint64_t>(i)) < 0.1) x.data()[i] = kMissing;
  }
  for (const bool standardise : {false, true}) {
    expect_equals_svd(principal_components(x, 4, standardise, 0, 1), x, 4, standardise, 1e-7);
  }
}

TEST(Pca, RandomisedEqualsExactWhenTheSpectrumFalls) {
  for (const auto& [n, p] : {std::pair<Index, Index>{800, 600}, {600, 900}}) {
    const Matrix<float> x = decaying(n, p, 0.8, 4);
    expect_equals_svd(principal_components(x, 5, false, 11, 2), x, 5, false, 1e-6);
  }
}

TEST(Pca, RandomisedFindsNearlyAllVarianceOfAFlatSpectrum) {
  const Matrix<float> x = to_matrix<float>(random_normal(700, 600, 5));
  const PrincipalComponents pca = principal_components(x, 4, false, 1, 2);
  const VectorXd singular = singular_values(prepared(x, false)).s;
  for (int c = 0; c < 4; ++c) {
    EXPECT_GT(pca.singular_values[c], 0.95 * singular[c]);
    EXPECT_LT(pca.singular_values[c], 1.0001 * singular[c]);
  }
  EXPECT_TRUE(mapped(x, pca.map).isApprox(to_eigen(pca.scores), 1e-9));
}

/// Share of the variance of the leading k components that the axes hold.
double held_by(const MatrixXd& axes, const Matrix<float>& x) {
  const MatrixXd data = prepared(x, true);
  const VectorXd singular = singular_values(data).s;
  EXPECT_TRUE((axes.transpose() * axes).isIdentity(1e-9));
  return (data * axes).squaredNorm() / singular.head(axes.cols()).squaredNorm();
}

TEST(Pca, ManyAxesHoldNearlyAllTheVariance) {
  // Through the matrix of columns, of rows, and through the rows in every pass.
  for (const auto& [n, p, k, passes] :
       {std::array<Index, 4>{900, 700, 100, 3}, {600, 1100, 100, 3}, {700, 900, 20, 8}}) {
    for (const double decay : {0.98, 1.0}) {
      const Matrix<float> x = decaying(n, p, decay, 10);
      const ColumnScaling scaling = column_scaling(x, true, 2);
      const auto axes = [&](int threads) {
        return principal_axes(x, scaling, k, static_cast<int>(passes), 1, threads);
      };
      const MatrixXd found = axes(1);
      ASSERT_EQ(found.cols(), k);
      EXPECT_GT(held_by(found, x), decay < 1 ? 0.999 : 0.9) << n << " x " << p;
      EXPECT_EQ(found, axes(3));
    }
  }
}

TEST(Pca, ConstantColumnsWeighNothingAndRankIsCounted) {
  MatrixXd values = random_normal(100, 3, 6);
  MatrixXd wide(100, 6);
  wide << values, VectorXd::Constant(100, 0.1), values.col(0) * 2, VectorXd::Constant(100, -1e9);
  const Matrix<float> x = to_matrix<float>(wide);
  for (const bool standardise : {false, true}) {
    const PrincipalComponents pca = principal_components(x, 8, standardise, 0, 1);
    EXPECT_EQ(pca.rank, 3);
    const MatrixXd weights = to_eigen(pca.map.weights);
    ASSERT_EQ(weights.cols(), 8);
    EXPECT_TRUE(weights.row(3).isZero(0));
    EXPECT_TRUE(weights.row(5).isZero(0));
    EXPECT_TRUE(weights.rightCols(5).isZero(0));
    EXPECT_TRUE(to_eigen(pca.scores).rightCols(5).isZero(0));
    EXPECT_TRUE(to_eigen(pca.scores).allFinite());
    EXPECT_EQ(pca.singular_values[3], 0);
  }
}

TEST(Pca, NothingToFind) {
  for (const Matrix<float>& x : {Matrix<float>(20, 4, 7.0f), Matrix<float>(1, 4, 2.0f), Matrix<float>(10, 3, kMissing),
                                 Matrix<float>(3, 900, 1.0f), Matrix<float>(700, 700, 1.0f)}) {
    const PrincipalComponents pca = principal_components(x, 2, true, 0, 1);
    EXPECT_EQ(pca.rank, 0);
    EXPECT_EQ(pca.scores, Matrix<double>(x.rows(), 2));
    EXPECT_EQ(pca.map.weights, Matrix<double>(x.cols(), 2));
    EXPECT_EQ(pca.singular_values, (std::vector<double>{0, 0}));
  }
}

TEST(Pca, AnyScale) {
  const Matrix<float> x = decaying(100, 5, 0.6, 7);
  for (const double scale : {1e-12, 1e12}) {
    const Matrix<float> scaled = to_matrix<float>(scale * to_eigen(x));
    expect_equals_svd(principal_components(scaled, 3, false, 0, 1), scaled, 3, false, 1e-7);
  }
}

TEST(Pca, DoublesAndStridesAreRead) {
  const Matrix<float> x = decaying(60, 5, 0.6, 8);
  const MatrixXd column_major = to_eigen(x);
  const MatrixView view(column_major.data(), 60, 5, 1, 60);
  EXPECT_EQ(principal_components(view, 2, true, 0, 1).scores, principal_components(x, 2, true, 0, 1).scores);
}

TEST(Pca, EqualBitsForAnyNumberOfThreads) {
  for (const auto& [n, p] : {std::pair<Index, Index>{5000, 8}, {30, 400}, {700, 550}}) {
    const Matrix<float> x = decaying(n, p, 0.9, 9);
    const PrincipalComponents one = principal_components(x, 3, true, 4, 1);
    for (const int threads : {2, 4}) {
      const PrincipalComponents more = principal_components(x, 3, true, 4, threads);
      EXPECT_EQ(one.map, more.map);
      EXPECT_EQ(one.scores, more.scores);
      EXPECT_EQ(one.singular_values, more.singular_values);
    }
  }
}

}  // namespace
}  // namespace treecca
