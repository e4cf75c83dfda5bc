#include "linalg/eigenpairs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/eigen_matrices.hpp"
#include "linalg/decompose.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A symmetric matrix with the given eigenvalues.
MatrixXd with_spectrum(const VectorXd& values, std::uint64_t seed) {
  const Index n = values.size();
  const MatrixXd vectors = orthonormal_basis(random_normal(n, n, seed));
  return vectors * values.asDiagonal() * vectors.transpose();
}

TEST(Eigenpairs, DenseAndIteratedAgreeWithTheSpectrum) {
  VectorXd values(120);
  for (Index i = 0; i < values.size(); ++i) values[i] = 100 * std::pow(0.8, i);
  const MatrixXd matrix = with_spectrum(values, 1);
  const Index k = 6;
  const Eigenpairs dense = leading_eigenpairs(matrix, k);
  const Eigenpairs iterated = leading_eigenpairs(
      120, k, [&](const MatrixXd& v) -> MatrixXd { return matrix * v; }, 8, 7);
  for (const Eigenpairs& pairs : {dense, iterated}) {
    ASSERT_EQ(pairs.vectors.cols(), k);
    EXPECT_TRUE(pairs.values.isApprox(values.head(k), 1e-9));
    EXPECT_TRUE((pairs.vectors.transpose() * pairs.vectors).isIdentity(1e-10));
    EXPECT_TRUE((matrix * pairs.vectors).isApprox(pairs.vectors * pairs.values.asDiagonal(), 1e-6));
  }
}

TEST(Eigenpairs, ManyPairsTakeAllProductsAndAreCheckedOnce) {
  VectorXd values(300);
  for (Index i = 0; i < values.size(); ++i) values[i] = 100 * std::pow(0.9, i);
  const MatrixXd matrix = with_spectrum(values, 4);
  int products = 0;
  const Eigenpairs pairs = leading_eigenpairs(
      300, 80,
      [&](const MatrixXd& v) -> MatrixXd {
        ++products;
        return matrix * v;
      },
      3, 7);
  EXPECT_EQ(products, 3);
  EXPECT_TRUE((pairs.vectors.transpose() * pairs.vectors).isIdentity(1e-10));
  EXPECT_TRUE(pairs.values.head(60).isApprox(values.head(60), 1e-9));
}

TEST(Eigenpairs, MorePairsThanDimensionsAndZeroMatrices) {
  const MatrixXd matrix = with_spectrum(VectorXd{{3.0, 2.0, 0.0}}, 2);
  const auto apply = [&](const MatrixXd& v) -> MatrixXd { return matrix * v; };
  EXPECT_TRUE(leading_eigenpairs(3, 9, apply, 8, 1).values.isApprox(leading_eigenpairs(matrix, 9).values, 1e-12));
  const auto nothing = [](const MatrixXd& v) -> MatrixXd { return 0 * v; };
  const Eigenpairs zero = leading_eigenpairs(40, 3, nothing, 8, 1);
  EXPECT_TRUE(zero.values.isZero(0));
  EXPECT_TRUE(zero.vectors.allFinite());
  EXPECT_EQ(leading_eigenpairs(MatrixXd(0, 0), 3).values.size(), 0);
}

TEST(Eigenpairs, TheSeedDecidesTheStart) {
  VectorXd values = VectorXd::Ones(60);  // nothing to converge to: the result is the start
  const MatrixXd matrix = with_spectrum(values, 3);
  const auto apply = [&](const MatrixXd& v) -> MatrixXd { return matrix * v; };
  EXPECT_EQ(leading_eigenpairs(60, 2, apply, 8, 5).vectors, leading_eigenpairs(60, 2, apply, 8, 5).vectors);
  EXPECT_NE(leading_eigenpairs(60, 2, apply, 8, 5).vectors, leading_eigenpairs(60, 2, apply, 8, 6).vectors);
}

}  // namespace
}  // namespace treecca
