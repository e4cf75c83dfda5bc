#include "fit/alignment.hpp"

#include <gtest/gtest.h>

#include "helpers/eigen_matrices.hpp"
#include "linalg/decompose.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd some_rows(Index n) {
  VectorXd weights = VectorXd::Ones(n);
  for (Index i = 0; i < n; i += 3) weights(i) = 0;
  weights(1) = 2.5;
  return weights;
}

TEST(WeightedMeans, CountRowsByTheirWeights) {
  MatrixXd z(3, 2);
  z << 1, 10, 3, 30, 100, 1000;
  EXPECT_TRUE(weighted_means(z, Eigen::Vector3d(3, 1, 0), Peers()).isApprox(Eigen::Vector2d(1.5, 15)));
  EXPECT_TRUE(weighted_means(z, VectorXd::Zero(3), Peers()).isZero());
}

TEST(RotationTowards, UndoesARotationThatAllViewsShare) {
  const MatrixXd turn = polar_factor(random_normal(3, 3, 1));
  Variates z;
  Variates turned;
  for (std::uint64_t v = 0; v < 3; ++v) {
    z.push_back(random_normal(40, 3, 2 + v));
    turned.push_back((z.back() * turn).rowwise() + Eigen::RowVector3d(5, -1, 2));  // offsets do not matter
  }
  EXPECT_TRUE(rotation_towards(turned, z, some_rows(40), Samples(40)).isApprox(turn.transpose(), 1e-9));
  EXPECT_TRUE(rotation_towards(z, z, some_rows(40), Samples(40)).isApprox(MatrixXd::Identity(3, 3), 1e-9));
}

TEST(RotationTowards, RowsWithoutWeightHaveNoSay) {
  const Variates z{random_normal(30, 2, 1), random_normal(30, 2, 2)};
  Variates onto{random_normal(30, 2, 3), random_normal(30, 2, 4)};
  const MatrixXd before = rotation_towards(z, onto, some_rows(30), Samples(30));
  EXPECT_TRUE((before.transpose() * before).isApprox(MatrixXd::Identity(2, 2), 1e-9));
  for (Index i = 0; i < 30; i += 3) onto[1].row(i).setConstant(1e6);
  EXPECT_TRUE(rotation_towards(z, onto, some_rows(30), Samples(30)).isApprox(before, 1e-9));
}

}  // namespace
}  // namespace treecca
