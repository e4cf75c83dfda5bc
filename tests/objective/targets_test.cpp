#include "objective/targets.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "helpers/folds.hpp"
#include "helpers/missing_views.hpp"
#include "helpers/oracles.hpp"
#include "helpers/random_data.hpp"
#include "linalg/decompose.hpp"
#include "linalg/row_products.hpp"
#include "objective/moments.hpp"
#include "objective/rotation.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

MatrixXd to_eigen(const Matrix<float>& m) {
  MatrixXd result(m.rows(), m.cols());
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) result(i, j) = m(i, j);
  }
  return result;
}

MatrixXd centred(const MatrixXd& m) { return m.rowwise() - m.colwise().mean(); }

/// All-pairs Eckart-Young loss, written from the paper's definition.
double loss_by_definition(const std::vector<MatrixXd>& views) {
  double loss = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    for (std::size_t j = i + 1; j < views.size(); ++j) {
      const MatrixXd a = centred(views[i]);
      const MatrixXd b = centred(views[j]);
      const double n1 = static_cast<double>(a.rows() - 1);
      const MatrixXd c = (a.transpose() * b + b.transpose() * a) / n1;
      const MatrixXd v = (a.transpose() * a + b.transpose() * b) / n1;
      loss += -2 * c.trace() + v.squaredNorm();
    }
  }
  return loss;
}

struct Stacked {
  std::vector<Matrix<float>> centred;
  std::vector<MatrixXd> variances;
};

Stacked prepare(const std::vector<MatrixXd>& views) {
  Stacked result;
  for (const MatrixXd& view : views) {
    const MatrixXd c = centred(view);
    Matrix<float> z(c.rows(), c.cols());
    for (Index i = 0; i < c.rows(); ++i) {
      for (Index j = 0; j < c.cols(); ++j) z(i, j) = static_cast<float>(c(i, j));
    }
    result.centred.push_back(z);
    result.variances.push_back(c.transpose() * c / static_cast<double>(c.rows() - 1));
  }
  return result;
}

class EyGradient : public ::testing::TestWithParam<int> {};

TEST_P(EyGradient, EqualsFiniteDifferences) {
  const int m = GetParam();
  std::vector<MatrixXd> views;
  for (int v = 0; v < m; ++v) views.push_back(to_eigen(testing::normal_matrix(30, 3, 10U + static_cast<unsigned>(v))));
  const Stacked stacked = prepare(views);
  for (Index v = 0; v < m; ++v) {
    const Matrix<float> g = ey_gradient(stacked.centred[v], v, stacked.centred, ey_penalty(stacked.variances, v), 1);
    for (Index i = 0; i < 30; i += 7) {
      for (Index k = 0; k < 3; ++k) {
        const double h = 1e-5;
        std::vector<MatrixXd> up = views;
        std::vector<MatrixXd> down = views;
        up[v](i, k) += h;
        down[v](i, k) -= h;
        const double slope = (loss_by_definition(up) - loss_by_definition(down)) / (2 * h);
        EXPECT_NEAR(4.0 / 29.0 * g(i, k), slope, 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Views, EyGradient, ::testing::Values(2, 3, 4));

TEST(EyGradient, OfManyViewsReducesToThePapersTwoViewForm) {
  const std::vector<MatrixXd> views{to_eigen(testing::normal_matrix(40, 2, 1)),
                                    to_eigen(testing::normal_matrix(40, 2, 2))};
  const Stacked stacked = prepare(views);
  const Matrix<float> g = ey_gradient(stacked.centred[0], 0, stacked.centred, ey_penalty(stacked.variances, 0), 1);
  const MatrixXd paper = -centred(views[1]) + centred(views[0]) * (stacked.variances[0] + stacked.variances[1]);
  EXPECT_LT((to_eigen(g) - paper).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(EyLossMinimum, OnLinearDataIsMinusTheSumOfSquaredCorrelations) {
  // Two views with a shared signal; the canonical variates, each scaled by sqrt(rho / 2), attain the minimum.
  const MatrixXd shared = to_eigen(testing::normal_matrix(4000, 2, 1));
  const MatrixXd a = 2.0 * shared + to_eigen(testing::normal_matrix(4000, 2, 2));
  const MatrixXd b = shared + to_eigen(testing::normal_matrix(4000, 2, 3));
  MatrixXd stacked(4000, 4);
  stacked << centred(a), centred(b);
  const MatrixXd covariance = stacked.transpose() * stacked / 3999.0;
  const Rotation rotation = canonical_rotation(covariance, 2);
  MatrixXd to_minimum = MatrixXd::Zero(4, 4);
  double minimum = 0;
  for (int v = 0; v < 2; ++v) to_minimum.block(2 * v, 2 * v, 2, 2) = rotation.per_view[v];
  for (int c = 0; c < 4; ++c) to_minimum.col(c) *= std::sqrt(rotation.correlations[c % 2] / 2);
  for (const double rho : rotation.correlations) minimum -= rho * rho;
  EXPECT_NEAR(ey_loss(to_minimum.transpose() * covariance * to_minimum, 2), minimum, 1e-10);
  // and no nearby point is lower
  for (unsigned seed = 0; seed < 20; ++seed) {
    MatrixXd moved = to_minimum;
    const MatrixXd push = to_eigen(testing::normal_matrix(4, 2, seed));
    for (int v = 0; v < 2; ++v) moved.block(2 * v, 2 * v, 2, 2) += 1e-3 * push.block(2 * v, 0, 2, 2);
    EXPECT_GE(ey_loss(moved.transpose() * covariance * moved, 2), minimum - 1e-12);
  }
}

/// Linear least-squares encoders in place of trees: Z_v moves towards the projection of its target onto X_v.
class LinearEncoders : public ::testing::TestWithParam<bool> {};

TEST_P(LinearEncoders, ReachTheCorrelationsOfClosedFormCca) {
  const bool whitened = GetParam();
  const Index n = 2000;
  const MatrixXd shared = to_eigen(testing::normal_matrix(n, 2, 1));
  std::vector<MatrixXd> x;
  for (unsigned v = 0; v < 2; ++v) {
    MatrixXd view = to_eigen(testing::normal_matrix(n, 5, 10 + v));
    view.leftCols(2) += (v == 0 ? 1.5 : 0.8) * shared;
    x.push_back(centred(view));
  }
  MatrixXd stacked(n, 10);
  stacked << x[0], x[1];
  const Rotation closed = canonical_rotation(stacked.transpose() * stacked / static_cast<double>(n - 1), 2);
  std::vector<MatrixXd> z{x[0].leftCols(2) * 0.1, x[1].leftCols(2) * 0.1};
  for (int round = 0; round < 3000; ++round) {
    const Stacked now = prepare(z);
    std::vector<MatrixXd> gradient;
    for (Index v = 0; v < 2; ++v) {
      if (whitened) {
        Matrix<float> q(n, 2);
        multiply_rows(now.centred[1 - v], inverse_square_root(now.variances[1 - v]), q, 1);
        gradient.push_back(z[v] - to_eigen(q));
      } else {
        gradient.push_back(to_eigen(ey_gradient(now.centred[v], v, now.centred, ey_penalty(now.variances, v), 1)));
      }
    }
    for (Index v = 0; v < 2; ++v)
      z[v] -= 0.1 * x[v] * testing::solve_symmetric(x[v].transpose() * x[v], x[v].transpose() * gradient[v]);
    if (round >= 200 && whitened) break;
  }
  MatrixXd both(n, 4);
  both << centred(z[0]), centred(z[1]);
  const Rotation reached = canonical_rotation(both.transpose() * both / static_cast<double>(n - 1), 2);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(reached.correlations[k], closed.correlations[k], 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Objectives, LinearEncoders, ::testing::Bool());

TEST(Targets, MeanOfOthersAndDeviation) {
  const std::vector<Matrix<float>> z{testing::normal_matrix(10, 2, 1), testing::normal_matrix(10, 2, 2),
                                     testing::normal_matrix(10, 2, 3)};
  Matrix<float> mean(10, 2);
  mean_of_others(z, 1, testing::folds_of(10), mean, 2);
  EXPECT_FLOAT_EQ(mean(4, 1), (z[0](4, 1) + z[2](4, 1)) / 2);
  Matrix<float> four(2, 2);
  four.values() = {1, 2, 3, 4};
  EXPECT_NEAR(standard_deviation(four, 0, testing::folds_of(four.rows()), 1), std::sqrt(1.25), 1e-12);
  Matrix<float> three(3, 2);  // the row in the middle is left out
  three.values() = {1, 2, 0, 0, 3, 4};
  const Samples samples(3);
  EXPECT_NEAR(standard_deviation(three, 0, make_folds(samples, 0, 0, {false, true, false}), 1), std::sqrt(1.25), 1e-12);
}

TEST(Targets, WhereRowsLackViewsTheOthersThatARowHas) {
  constexpr Index kRows = 90;
  const Samples& samples = testing::kept_samples(testing::with_gaps(Samples(kRows), 3));
  const Folds folds = make_folds(samples, 3, 0);
  std::vector<Matrix<float>> z;
  for (std::uint64_t v = 0; v < 3; ++v) z.push_back(testing::normal_matrix(kRows, 2, 1 + v));
  Matrix<float> target(kRows, 2);
  mean_of_others(z, 1, folds, target, 2);
  const auto mean_shared = [&](Index j, int fold) {
    double sum = 0, count = 0;
    for (Index i = 0; i < kRows; ++i) {
      if (folds.of_row[static_cast<std::size_t>(i)] != fold || testing::lacks(1, i) || testing::lacks(j, i)) continue;
      sum += z[static_cast<std::size_t>(j)](i, 1);
      ++count;
    }
    return sum / count;
  };
  for (Index i = 0; i < kRows; ++i) {
    double sum = 0, others = 0;
    for (const Index j : {0, 2}) {
      if (testing::lacks(1, i) || testing::lacks(j, i)) continue;
      sum += z[static_cast<std::size_t>(j)](i, 1) - mean_shared(j, folds.of_row[static_cast<std::size_t>(i)]);
      ++others;
    }
    EXPECT_NEAR(target(i, 1), others > 0 ? sum / others : 0, 1e-5);
  }
}

/// The gradient of a complete row is that of complete data; a row without a partner has none.
TEST(Targets, EckartYoungGradientOfPairs) {
  constexpr Index kRows = 60;
  const Samples& samples = testing::kept_samples(testing::with_gaps(Samples(kRows), 3));
  const Folds folds = make_folds(samples, 3, 0);
  std::vector<Matrix<float>> z;
  std::vector<Eigen::MatrixXd> variances;
  for (std::uint64_t v = 0; v < 3; ++v) {
    z.push_back(testing::normal_matrix(kRows, 2, 1 + v));
    variances.emplace_back(Eigen::Matrix2d{{1.0 + static_cast<double>(v), 0.3}, {0.3, 0.5}});
  }
  const Matrix<float> whole = ey_gradient(z[0], 0, z, ey_penalty(variances, 0), 1);
  const Matrix<float> pairs = ey_gradient_of_pairs(z[0], 0, z, variances, folds, 2);
  for (Index i = 0; i < kRows; ++i) {
    for (Index c = 0; c < 2; ++c) {
      double expected = 0;
      for (const std::size_t j : {1U, 2U}) {
        if (testing::lacks(0, i) || testing::lacks(static_cast<Index>(j), i)) continue;
        const Eigen::RowVector2d own(z[0](i, 0), z[0](i, 1));
        expected += (own * (variances[0] + variances[j]))(c) - static_cast<double>(z[j](i, c));
      }
      EXPECT_NEAR(pairs(i, c), expected, 1e-5);
      if (!testing::lacks(0, i) && !testing::lacks(1, i) && !testing::lacks(2, i)) {
        EXPECT_NEAR(pairs(i, c), whole(i, c), 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace treecca
