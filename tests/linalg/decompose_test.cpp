#include "linalg/decompose.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "helpers/eigen_matrices.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(SymmetricEigen, DecomposesAscending) {
  const MatrixXd a = covariance_of(random_normal(40, 5, 1));
  const SymmetricEigen eigen = symmetric_eigen(a);
  EXPECT_TRUE((eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose()).isApprox(a, 1e-12));
  EXPECT_TRUE((eigen.vectors.transpose() * eigen.vectors).isIdentity(1e-12));
  for (Eigen::Index c = 1; c < 5; ++c) EXPECT_LT(eigen.values[c - 1], eigen.values[c]);
}

TEST(PositiveSpectrum, IsDescendingAndWithoutWhatIsTooSmall) {
  const MatrixXd basis = orthonormal_basis(random_normal(4, 4, 2));
  const MatrixXd a = basis * VectorXd{{1e-3, 5.0, -1.0, 2.0}}.asDiagonal() * basis.transpose();
  const Spectrum all = positive_spectrum(a, 1e-6);
  ASSERT_EQ(all.values.size(), 3);
  EXPECT_TRUE(all.values.isApprox(VectorXd{{5.0, 2.0, 1e-3}}, 1e-9));
  EXPECT_TRUE((a * all.vectors).isApprox(all.vectors * all.values.asDiagonal(), 1e-9));
  EXPECT_EQ(positive_spectrum(a, 0.1).values.size(), 2);
  EXPECT_EQ(positive_spectrum(a, 0.1).vectors.cols(), 2);
  EXPECT_EQ(positive_spectrum(MatrixXd::Zero(3, 3), 0).values.size(), 0);
  EXPECT_EQ(positive_spectrum(MatrixXd(0, 0), 0.1).vectors.size(), 0);
}

TEST(InverseSquareRoot, WhitensAndIsSymmetric) {
  const MatrixXd v = covariance_of(random_normal(50, 6, 1) * random_normal(6, 6, 2));
  const MatrixXd w = inverse_square_root(v);
  EXPECT_TRUE((w * v * w).isApprox(MatrixXd::Identity(6, 6), 1e-9));
  EXPECT_TRUE(w.isApprox(w.transpose(), 1e-12));
}

TEST(InverseSquareRoot, DropsDirectionsBelowTheTolerance) {
  MatrixXd v = VectorXd{{4.0, 1e-3, 3e-10, -1e-13}}.asDiagonal();
  MatrixXd expected = VectorXd{{0.5, 1 / std::sqrt(1e-3), 0.0, 0.0}}.asDiagonal();
  EXPECT_TRUE(inverse_square_root(v).isApprox(expected, 1e-12));
  expected = VectorXd{{0.5, 0.0, 0.0, 0.0}}.asDiagonal();
  EXPECT_TRUE(inverse_square_root(v, 1e-2).isApprox(expected, 1e-12));
  EXPECT_TRUE(inverse_square_root(MatrixXd::Zero(3, 3)).isZero(0));
  EXPECT_TRUE(inverse_square_root(-MatrixXd::Identity(3, 3)).isZero(0));
  EXPECT_EQ(inverse_square_root(MatrixXd(0, 0)).size(), 0);
}

TEST(SingularValues, DecomposeThinAndFull) {
  for (const auto& [rows, cols] : {std::pair{6, 3}, std::pair{3, 6}}) {
    const MatrixXd a = random_normal(rows, cols, 3);
    const SingularValues thin = singular_values(a);
    EXPECT_EQ(thin.u.cols(), 3);
    EXPECT_EQ(thin.v.cols(), 3);
    EXPECT_TRUE((thin.u * thin.s.asDiagonal() * thin.v.transpose()).isApprox(a, 1e-12));
    EXPECT_TRUE(thin.s[0] > thin.s[1] && thin.s[1] > thin.s[2]);
    const SingularValues full = singular_values(a, true);
    ASSERT_EQ(full.u.cols(), rows);
    ASSERT_EQ(full.v.cols(), cols);
    EXPECT_TRUE((full.u.transpose() * full.u).isIdentity(1e-12));
    EXPECT_TRUE((full.v.transpose() * full.v).isIdentity(1e-12));
    EXPECT_TRUE(full.s.isApprox(thin.s, 1e-12));
  }
}

TEST(OrthonormalBasis, SpansTheColumns) {
  const MatrixXd a = random_normal(10, 4, 4);
  const MatrixXd q = orthonormal_basis(a);
  ASSERT_EQ(q.cols(), 4);
  EXPECT_TRUE((q.transpose() * q).isIdentity(1e-12));
  EXPECT_TRUE((q * (q.transpose() * a)).isApprox(a, 1e-12));
}

}  // namespace
}  // namespace treecca
