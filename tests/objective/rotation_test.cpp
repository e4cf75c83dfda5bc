#include "objective/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

#include "helpers/eigen_matrices.hpp"
#include "helpers/oracles.hpp"
#include "linalg/decompose.hpp"
#include "objective/pairs.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// M views of K columns; component c is shared with strength signal[c] (components beyond the list
/// are noise); then every view is mixed by a random K x K matrix.
MatrixXd shared_signal(int n, int m, int k, std::initializer_list<double> signal, std::uint64_t seed) {
  const MatrixXd common = random_normal(n, k, seed);
  MatrixXd z(n, m * k);
  for (int v = 0; v < m; ++v) {
    MatrixXd view = random_normal(n, k, seed + 10 + static_cast<std::uint64_t>(v));
    Eigen::Index c = 0;
    for (const double strength : signal) {
      view.col(c) += strength * common.col(c);
      ++c;
    }
    z.middleCols(v * k, k) = view * random_normal(k, k, seed + 50 + static_cast<std::uint64_t>(v));
  }
  return z;
}

/// All the promises that hold for any input: finite, variances 0 or 1, uncorrelated within a view,
/// ordered, signs.
void expect_canonical(const Rotation& rotation, const MatrixXd& covariance, double tolerance = 1e-9) {
  const Eigen::Index m = static_cast<Eigen::Index>(rotation.per_view.size());
  const Eigen::Index k = covariance.rows() / m;
  ASSERT_EQ(rotation.correlations.size(), static_cast<std::size_t>(k));
  for (Eigen::Index v = 0; v < m; ++v) {
    const MatrixXd& a = rotation.per_view[static_cast<std::size_t>(v)];
    ASSERT_EQ(a.rows(), k);
    ASSERT_EQ(a.cols(), k);
    ASSERT_TRUE(a.allFinite());
    const MatrixXd variance = a.transpose() * covariance.block(v * k, v * k, k, k) * a;
    for (Eigen::Index c = 0; c < k; ++c) {
      EXPECT_NEAR(variance(c, c), a.col(c).isZero(0) ? 0.0 : 1.0, tolerance) << v << ' ' << c;
      for (Eigen::Index d = 0; d < c; ++d) EXPECT_NEAR(variance(c, d), 0, tolerance) << c << ' ' << d;
    }
  }
  for (std::size_t c = 0; c < rotation.correlations.size(); ++c) {
    EXPECT_LE(rotation.correlations[c], 1.0);
    EXPECT_LE(rotation.correlations[c], rotation.correlations[c > 0 ? c - 1 : 0]);
    for (const MatrixXd& a : rotation.per_view) {
      const auto column = a.col(static_cast<Eigen::Index>(c));
      if (column.isZero(0)) continue;
      Eigen::Index largest = 0;
      column.cwiseAbs().maxCoeff(&largest);
      EXPECT_GT(column[largest], 0);
      break;
    }
  }
}

/// Per component the mean correlation over all pairs of views that the matrices make under a covariance.
std::vector<double> correlations_under(const std::vector<MatrixXd>& per_view, const MatrixXd& covariance) {
  const auto views = static_cast<int>(per_view.size());
  return mean_over_pairs(pair_correlations(variate_covariances(per_view, covariance), views), views);
}

TEST(CanonicalRotation, TwoViewsAreTheSingularValueDecomposition) {
  const int k = 5;
  const MatrixXd s = covariance_of(shared_signal(400, 2, k, {3, 2, 1, 0.5}, 3));
  const Rotation rotation = canonical_rotation(s, 2);
  expect_canonical(rotation, s);
  const MatrixXd whitened = inverse_square_root(s.topLeftCorner(k, k)) * s.topRightCorner(k, k) *
                            inverse_square_root(s.bottomRightCorner(k, k));
  const VectorXd expected = testing::jacobi_singular_values(whitened);
  const MatrixXd cross = rotation.per_view[0].transpose() * s.topRightCorner(k, k) * rotation.per_view[1];
  EXPECT_TRUE(cross.isApprox(MatrixXd(expected.asDiagonal()), 1e-9));
  for (int c = 0; c < k; ++c) EXPECT_NEAR(rotation.correlations[c], expected[c], 1e-10);
}

TEST(CanonicalRotation, TwoViewsSolveTheGeneralisedEigenproblemOfTheTextbook) {
  const int k = 4;
  const MatrixXd s = covariance_of(shared_signal(300, 2, k, {2, 1, 0.7, 0.3}, 4));
  const MatrixXd cross = s.topRightCorner(k, k);
  const MatrixXd left = cross * testing::solve_symmetric(s.bottomRightCorner(k, k), cross.transpose());
  const testing::Eigenproblem solved = testing::generalised_eigenproblem(left, s.topLeftCorner(k, k));
  const Rotation rotation = canonical_rotation(s, 2);
  for (int c = 0; c < k; ++c) {
    EXPECT_NEAR(rotation.correlations[c], std::sqrt(solved.values[k - 1 - c]), 1e-9);
    const VectorXd a = rotation.per_view[0].col(c);
    const VectorXd b = solved.vectors.col(k - 1 - c);  // also of unit variance
    EXPECT_LT(std::min((a - b).norm(), (a + b).norm()), 1e-7 * a.norm());
  }
}

TEST(CanonicalRotation, InvertibleMapsOfTheViewsDoNotChangeTheVariates) {
  for (const int m : {2, 3, 5}) {
    const int n = 300;
    const int k = 4;
    MatrixXd z = shared_signal(n, m, k, {3, 2, 1.2, 0.6}, 5);
    z.rowwise() -= z.colwise().mean().eval();
    MatrixXd mapped(n, m * k);
    for (int v = 0; v < m; ++v) {
      // Units that differ by 8 orders of magnitude between columns, and some mixing before.
      const MatrixXd mix =
          random_normal(k, k, 80 + static_cast<std::uint64_t>(v)) * VectorXd{{1e-4, 1.0, 3.0, 1e4}}.asDiagonal();
      mapped.middleCols(v * k, k) = z.middleCols(v * k, k) * mix;
    }
    const Rotation one = canonical_rotation(covariance_of(z), m);
    const Rotation two = canonical_rotation(covariance_of(mapped), m);
    for (int v = 0; v < m; ++v) {
      const MatrixXd first = z.middleCols(v * k, k) * one.per_view[v];
      const MatrixXd second = mapped.middleCols(v * k, k) * two.per_view[v];
      for (int c = 0; c < k; ++c) {
        EXPECT_LT(std::min((first - second).col(c).norm(), (first + second).col(c).norm()), 1e-5 * first.col(c).norm())
            << m << " views, view " << v << ", component " << c;
      }
    }
    for (int c = 0; c < k; ++c) EXPECT_NEAR(one.correlations[c], two.correlations[c], 1e-7);
  }
}

TEST(CanonicalRotation, VariatesAreUncorrelatedWithinAViewAndOrdered) {
  for (const int m : {2, 3, 4, 6}) {
    const MatrixXd s = covariance_of(shared_signal(500, m, 6, {3, 2, 1}, 6));
    expect_canonical(canonical_rotation(s, m), s, 1e-10);
  }
}

TEST(CanonicalRotation, RecoversAPlantedCommonSignalOfFourViews) {
  const int m = 4;
  const int k = 5;
  const double strength[] = {3.0, 1.5};
  const MatrixXd s = covariance_of(shared_signal(20000, m, k, {strength[0], strength[1]}, 7));
  const Rotation rotation = canonical_rotation(s, m);
  for (int c = 0; c < 2; ++c) {
    const double truth = strength[c] * strength[c] / (1 + strength[c] * strength[c]);
    EXPECT_NEAR(rotation.correlations[c], truth, 0.01);
  }
  EXPECT_LT(rotation.correlations[2], 0.05);
}

TEST(CanonicalRotation, ManyViewsBeatMccaAloneAndStandStill) {
  const int m = 4;
  const int k = 3;
  const MatrixXd s = covariance_of(shared_signal(500, m, k, {2, 1.5, 1}, 8));
  const Rotation rotation = canonical_rotation(s, m);
  double total = 0;
  for (const double value : rotation.correlations) total += value;
  // No small common change of one view by a rotation is better.
  for (int v = 0; v < m; ++v) {
    for (const double angle : {-0.02, 0.02}) {
      for (int c = 1; c < k; ++c) {
        std::vector<MatrixXd> turned = rotation.per_view;
        const auto a = rotation.per_view[v].col(c - 1);
        const auto b = rotation.per_view[v].col(c);
        turned[v].col(c - 1) = std::cos(angle) * a + std::sin(angle) * b;
        turned[v].col(c) = std::cos(angle) * b - std::sin(angle) * a;
        double other = 0;
        for (const double value : correlations_under(turned, s)) other += value;
        EXPECT_LT(other, total + 1e-12);
      }
    }
  }
}

TEST(CanonicalRotation, ZeroCovarianceGivesZeros) {
  for (const int m : {2, 3}) {
    const Rotation rotation = canonical_rotation(MatrixXd::Zero(m * 3, m * 3), m);
    ASSERT_EQ(rotation.per_view.size(), static_cast<std::size_t>(m));
    for (const MatrixXd& a : rotation.per_view) EXPECT_TRUE(a.isZero(0));
    EXPECT_EQ(rotation.correlations, std::vector<double>(3, 0.0));
  }
}

TEST(CanonicalRotation, AConstantViewIsZeroAndLeavesTheOthersAlone) {
  const int k = 3;
  const MatrixXd two = shared_signal(300, 2, k, {2, 1}, 9);
  MatrixXd three(300, 3 * k);
  three << two.leftCols(k), MatrixXd::Constant(300, k, 7.0), two.rightCols(k);
  const MatrixXd s = covariance_of(three);
  const Rotation with = canonical_rotation(s, 3);
  const Rotation without = canonical_rotation(covariance_of(two), 2);
  expect_canonical(with, s);
  EXPECT_TRUE(with.per_view[1].isZero(0));
  EXPECT_TRUE(with.per_view[0].isApprox(without.per_view[0], 1e-9));
  EXPECT_TRUE(with.per_view[2].isApprox(without.per_view[1], 1e-9));
  for (int c = 0; c < k; ++c) {  // one of three pairs
    EXPECT_NEAR(with.correlations[c], without.correlations[c] / 3, 1e-10);
  }
  MatrixXd constant_second = two;
  constant_second.rightCols(k).setOnes();
  const MatrixXd one_left = covariance_of(constant_second);
  const Rotation alone = canonical_rotation(one_left, 2);
  expect_canonical(alone, one_left);
  EXPECT_EQ(alone.correlations, std::vector<double>(k, 0.0));
}

TEST(CanonicalRotation, RankDeficientViewsGiveZeroColumns) {
  const int k = 4;
  for (const int m : {2, 3, 4}) {
    MatrixXd z = shared_signal(300, m, k, {3, 2, 1, 0.5}, 11);
    z.col(1) = 2 * z.col(0);
    z.col(2) = z.col(0) - z.col(3);  // view 0 is left with rank 2
    const MatrixXd s = covariance_of(z);
    const Rotation rotation = canonical_rotation(s, m);
    expect_canonical(rotation, s);
    int columns = 0;
    for (int c = 0; c < k; ++c) columns += rotation.per_view[0].col(c).isZero(0) ? 0 : 1;
    EXPECT_EQ(columns, 2);
    for (int v = 1; v < m; ++v) {
      for (int c = 0; c < k; ++c) EXPECT_FALSE(rotation.per_view[v].col(c).isZero(0));
    }
    EXPECT_GT(rotation.correlations[0], 0.5);
  }
}

TEST(CanonicalRotation, AllViewsOfRankOne) {
  const MatrixXd signal = random_normal(200, 1, 12);
  MatrixXd z(200, 9);
  for (int c = 0; c < 9; ++c) z.col(c) = (c + 1.0) * signal;
  const MatrixXd s = covariance_of(z);
  const Rotation rotation = canonical_rotation(s, 3);
  expect_canonical(rotation, s);
  EXPECT_NEAR(rotation.correlations[0], 1, 1e-12);
  for (const MatrixXd& a : rotation.per_view) EXPECT_TRUE(a.rightCols(2).isZero(0));
}

TEST(CanonicalRotation, AnyScaleOfTheViews) {
  const int k = 3;
  for (const int m : {2, 3}) {
    const MatrixXd z = shared_signal(300, m, k, {2, 1, 0.5}, 13);
    const Rotation plain = canonical_rotation(covariance_of(z), m);
    for (const double scale : {1e-12, 1e12}) {
      MatrixXd scaled = z;
      scaled.leftCols(k) *= scale;
      scaled.rightCols(k) /= scale;
      const MatrixXd s = covariance_of(scaled);
      const Rotation rotation = canonical_rotation(s, m);
      expect_canonical(rotation, s);
      for (int c = 0; c < k; ++c) EXPECT_NEAR(rotation.correlations[c], plain.correlations[c], 1e-8);
    }
  }
}

TEST(CanonicalRotation, SlightlyIndefiniteCovarianceIsNoTrouble) {
  MatrixXd z = shared_signal(200, 2, 3, {2, 1}, 14);
  z.col(2) = z.col(0) + z.col(1);
  MatrixXd s = covariance_of(z);
  s.topLeftCorner(3, 3) -= 1e-13 * s.topLeftCorner(3, 3).trace() * MatrixXd::Identity(3, 3);
  ASSERT_LT(symmetric_eigen(s.topLeftCorner(3, 3)).values[0], 0);
  const Rotation rotation = canonical_rotation(s, 2);
  expect_canonical(rotation, s, 1e-6);
  EXPECT_TRUE(rotation.per_view[0].col(2).isZero(0));
}

TEST(CanonicalRotation, OneComponent) {
  const MatrixXd z = shared_signal(500, 3, 1, {2}, 15);
  const MatrixXd s = covariance_of(z);
  const Rotation rotation = canonical_rotation(s, 3);
  expect_canonical(rotation, s);
  EXPECT_GT(rotation.per_view[0](0, 0), 0);
  EXPECT_GT(rotation.correlations[0], 0.7);  // signs are chosen so that all views agree
}

TEST(CommonRotation, TurnsAllViewsAlikeAndWhitens) {
  for (const int m : {2, 3, 4}) {
    const int k = 4;
    const MatrixXd s = covariance_of(shared_signal(400, m, k, {3, 2, 1, 0.5}, 31));
    const Rotation rotation = common_rotation(s, m);
    MatrixXd common;
    for (int v = 0; v < m; ++v) {
      const MatrixXd variance = s.block(v * k, v * k, k, k);
      const MatrixXd& a = rotation.per_view[v];
      EXPECT_TRUE((a.transpose() * variance * a).isApprox(MatrixXd::Identity(k, k), 1e-9));
      const MatrixXd p = variance * inverse_square_root(variance) * a;  // V^(1/2) A
      if (v == 0) common = p;
      EXPECT_TRUE(p.isApprox(common, 1e-9)) << "view " << v;
    }
    EXPECT_TRUE(std::is_sorted(rotation.correlations.rbegin(), rotation.correlations.rend()));
  }
}

TEST(CommonRotation, ACommonTurnOfAllViewsDoesNotChangeTheVariates) {
  const int k = 3;
  MatrixXd z = shared_signal(300, 3, k, {3, 1.5, 0.7}, 32);
  z.rowwise() -= z.colwise().mean().eval();
  const MatrixXd turn = orthonormal_basis(random_normal(k, k, 33));
  MatrixXd turned(300, 3 * k);
  for (int v = 0; v < 3; ++v) turned.middleCols(v * k, k) = z.middleCols(v * k, k) * turn;
  const Rotation one = common_rotation(covariance_of(z), 3);
  const Rotation two = common_rotation(covariance_of(turned), 3);
  for (int c = 0; c < k; ++c) {
    EXPECT_NEAR(one.correlations[c], two.correlations[c], 1e-10);
    const VectorXd a = z.leftCols(k) * one.per_view[0].col(c);
    const VectorXd b = turned.leftCols(k) * two.per_view[0].col(c);
    EXPECT_LT(std::min((a - b).norm(), (a + b).norm()), 1e-8 * a.norm());
  }
}

TEST(CommonRotation, OpposedDirectionsStayOpposed) {
  MatrixXd s = MatrixXd::Identity(4, 4);
  s(0, 2) = s(2, 0) = 0.5;
  s(1, 3) = s(3, 1) = -0.7;
  const Rotation common = common_rotation(s, 2);
  EXPECT_NEAR(common.correlations[0], 0.5, 1e-12);
  EXPECT_NEAR(common.correlations[1], -0.7, 1e-12);
  EXPECT_NEAR(canonical_rotation(s, 2).correlations[0], 0.7, 1e-12);  // linear CCA turns the second round
}

TEST(CommonRotation, AViewOfLowerRankHasVariatesOfUnitVarianceOrNone) {
  const int k = 4;
  MatrixXd z = shared_signal(300, 2, k, {3, 2, 1, 0.5}, 34);
  z.col(3) = z.col(0) + z.col(1);  // rank 3
  const MatrixXd s = covariance_of(z);
  const Rotation rotation = common_rotation(s, 2);
  const MatrixXd within = rotation.per_view[0].transpose() * s.topLeftCorner(k, k) * rotation.per_view[0];
  int present = 0;
  for (int c = 0; c < k; ++c) {
    if (within(c, c) > 0.5) ++present;
    for (int d = 0; d < k; ++d) EXPECT_NEAR(within(c, d), c == d && within(c, c) > 0.5 ? 1 : 0, 1e-8);
  }
  EXPECT_EQ(present, 3);
  EXPECT_TRUE(common_rotation(MatrixXd::Zero(6, 6), 2).per_view[0].isZero(0));
}

/// Blocks of the covariance after the rotation.
MatrixXd rotated_block(const std::vector<MatrixXd>& by, const MatrixXd& covariance, Eigen::Index v, Eigen::Index w) {
  const Eigen::Index k = by[0].rows();
  return by[static_cast<std::size_t>(v)].transpose() * covariance.block(v * k, w * k, k, k) *
         by[static_cast<std::size_t>(w)];
}

TEST(FlooredRotation, OrdersAndDecorrelates) {
  for (const int m : {2, 3}) {
    const MatrixXd covariance = covariance_of(shared_signal(4000, m, 3, {2.0, 1.0, 0.5}, 7));
    const std::vector<MatrixXd> by = floored_rotation(covariance, m);
    ASSERT_EQ(by.size(), static_cast<std::size_t>(m));
    MatrixXd agreement = MatrixXd::Zero(3, 3);
    for (Eigen::Index v = 0; v < m; ++v) {
      EXPECT_TRUE(rotated_block(by, covariance, v, v).isApprox(MatrixXd::Identity(3, 3), 1e-9));
      for (Eigen::Index w = 0; w < m; ++w) {
        if (v != w) agreement += rotated_block(by, covariance, v, w);
      }
    }
    for (Eigen::Index c = 0; c < 3; ++c) {
      for (Eigen::Index b = 0; b < c; ++b) EXPECT_NEAR(agreement(b, c) + agreement(c, b), 0, 1e-9);
      if (c > 0) {
        EXPECT_GE(agreement(c - 1, c - 1), agreement(c, c));
      }
      Eigen::Index largest = 0;
      by[0].col(c).cwiseAbs().maxCoeff(&largest);
      EXPECT_GT(by[0](largest, c), 0);
    }
  }
}

TEST(FlooredRotation, SmallVariancesAreNotBlownUp) {
  MatrixXd covariance = MatrixXd::Zero(4, 4);
  covariance.diagonal() << 4, 4e-9, 1, 1;
  const std::vector<MatrixXd> by = floored_rotation(covariance, 2);
  EXPECT_NEAR(by[0].cwiseAbs().maxCoeff(), 1 / std::sqrt(4e-3), 1e-6);  // a thousandth of the largest
}

TEST(FlooredRotation, SurvivesARankDeficientCovariance) {
  MatrixXd z = shared_signal(500, 2, 3, {2.0, 1.0, 0.0}, 8);
  z.col(2) = z.col(0);
  z.middleCols(3, 3).setZero();  // a view without any variance
  for (const MatrixXd& covariance : {covariance_of(z), MatrixXd(MatrixXd::Zero(6, 6))}) {
    const std::vector<MatrixXd> by = floored_rotation(covariance, 2);
    for (const MatrixXd& matrix : by) EXPECT_TRUE(matrix.allFinite());
    EXPECT_TRUE(by[1].isZero());
  }
}

/// Covariances of means of parts are differences of others and may have negative eigenvalues.
TEST(FlooredRotation, SurvivesACovarianceThatIsNotPositive) {
  MatrixXd covariance = covariance_of(shared_signal(500, 2, 3, {2.0, 1.0, 0.5}, 9));
  covariance(1, 1) = -0.5;
  covariance.bottomRightCorner(3, 3) = -MatrixXd::Identity(3, 3);
  const std::vector<MatrixXd> by = floored_rotation(covariance, 2);
  for (const MatrixXd& matrix : by) EXPECT_TRUE(matrix.allFinite());
  EXPECT_TRUE(by[1].isZero());
}

}  // namespace
}  // namespace treecca
