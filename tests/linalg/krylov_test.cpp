#include "linalg/krylov.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/eigen_matrices.hpp"
#include "linalg/decompose.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A symmetric matrix with the given eigenvalues, and how often it was multiplied.
struct Counted {
  MatrixXd matrix;
  int products = 0;

  explicit Counted(const VectorXd& values) {
    const MatrixXd vectors = orthonormal_basis(random_normal(values.size(), values.size(), 1));
    matrix = vectors * values.asDiagonal() * vectors.transpose();
  }
  Eigenpairs solve(Index k, const MatrixXd& known = {}, KrylovLimits limits = {}) {
    products = 0;
    const MatrixXd start = known.size() > 0 ? known : MatrixXd(matrix.rows(), 0);
    return krylov_eigenpairs(
        matrix.rows(), k, start,
        [&](const MatrixXd& x) -> MatrixXd {
          ++products;
          return matrix * x;
        },
        limits, 3);
  }
};

void expect_leading_pairs(const Counted& of, const Eigenpairs& pairs, Index k) {
  const Eigenpairs dense = leading_eigenpairs(of.matrix, k);
  ASSERT_EQ(pairs.vectors.cols(), k);
  EXPECT_TRUE((pairs.vectors.transpose() * pairs.vectors).isIdentity(1e-9));
  const double scale = dense.values.cwiseAbs().maxCoeff();
  EXPECT_LE((pairs.values - dense.values).cwiseAbs().maxCoeff(), 1e-9 * scale);
  const MatrixXd residual = of.matrix * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
  EXPECT_LE(residual.colwise().norm().maxCoeff(), 2e-7 * scale);
}

TEST(Krylov, FlatSpectraAreSolvedWithinFewProducts) {
  const Index n = 300;
  Counted flat(VectorXd::LinSpaced(n, 0.0, 1.0));
  for (const Index k : {1, 4, 20}) expect_leading_pairs(flat, flat.solve(k), k);
  flat.solve(4);
  EXPECT_LT(flat.products, 60);  // with restarts: the basis holds 20 blocks
  EXPECT_GT(flat.products, 20);
}

TEST(Krylov, OfBothSignsTheLargestAreWanted) {
  VectorXd values = VectorXd::LinSpaced(200, -3.0, 1.0);
  values[150] = 2;
  Counted signs(values);
  expect_leading_pairs(signs, signs.solve(3), 3);
}

TEST(Krylov, EqualEigenvaluesAndZeroMatrices) {
  VectorXd values = VectorXd::Zero(150);
  values.head(4) << 2, 2, 2, 1;
  Counted multiple(values);
  expect_leading_pairs(multiple, multiple.solve(4), 4);
  expect_leading_pairs(multiple, multiple.solve(6), 6);
  Counted nothing(VectorXd::Zero(60));
  expect_leading_pairs(nothing, nothing.solve(2), 2);
}

TEST(Krylov, AKnownStartSavesProducts) {
  VectorXd values(400);
  for (Index i = 0; i < values.size(); ++i) values[i] = std::pow(0.97, i);
  Counted matrix(values);
  const Eigenpairs from_nothing = matrix.solve(5);
  const int without = matrix.products;
  MatrixXd near = from_nothing.vectors + 1e-4 * random_normal(400, 5, 9);
  expect_leading_pairs(matrix, matrix.solve(5, near), 5);
  EXPECT_LT(matrix.products, without);
}

TEST(Krylov, StopsWhereItIsTold) {
  Counted flat(VectorXd::LinSpaced(300, 0.0, 1.0));
  const Eigenpairs rough = flat.solve(3, {}, {1e-12, 7});
  EXPECT_EQ(flat.products, 7);
  EXPECT_TRUE((rough.vectors.transpose() * rough.vectors).isIdentity(1e-9));
  flat.solve(3, {}, {0.1, 100});
  EXPECT_LT(flat.products, 7);
}

}  // namespace
}  // namespace treecca
