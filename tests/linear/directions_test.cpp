#include "linear/directions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "helpers/eigen_matrices.hpp"
#include "linear/textbook_cca.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double correlation(const VectorXd& a, const VectorXd& b) {
  return centred(a).col(0).normalized().dot(centred(b).col(0).normalized());
}

/// Views with the given numbers of columns and `signals` common factors, side by side.
struct Stack {
  std::vector<Index> offset{0};
  MatrixXd values;

  Stack(Index n, const std::vector<Index>& columns, Index signals, std::uint64_t seed) {
    const MatrixXd common = random_normal(n, signals, seed);
    for (const Index p : columns) offset.push_back(offset.back() + p);
    values.resize(n, offset.back());
    for (std::size_t v = 0; v < columns.size(); ++v) {
      MatrixXd x = random_normal(n, columns[v], seed + 1 + v);
      for (Index s = 0; s < signals; ++s) x.col(s) += (3.0 - static_cast<double>(s)) * common.col(s);
      values.middleCols(offset[v], columns[v]) =
          standardised(to_matrix<float>(x * random_normal(columns[v], columns[v], 77)));
    }
  }
  MatrixXd view(std::size_t v) const { return values.middleCols(offset[v], offset[v + 1] - offset[v]); }
  Directions fit(Index k, double shrinkage, const MatrixXd& similar = {}) const {
    return fit_directions(covariance_of(values), offset, k, shrinkage, kToKeep, 1, similar);
  }
};

TEST(Directions, TwoViewsEqualTheTextbook) {
  for (const Index p : {8, 150}) {  // by a whole decomposition, by iteration
    const Stack stack(900, {p, p + 10}, 2, 1);
    for (const double shrinkage : {0.0, 0.1, 0.6}) {
      const Directions fit = stack.fit(2, shrinkage);
      const Textbook cca = textbook_cca(stack.view(0), stack.view(1), shrinkage, 2);
      // Variates of a view are decorrelated afterwards, within the span of the textbook's.
      for (std::size_t v = 0; v < 2; ++v) {
        const MatrixXd own = centred(stack.view(v) * fit.per_view[v]);
        const MatrixXd reference = centred(stack.view(v) * (v == 0 ? cca.first : cca.second));
        const MatrixXd coefficients =
            testing::solve_symmetric(reference.transpose() * reference, reference.transpose() * own);
        EXPECT_LT((own - reference * coefficients).norm(), 1e-5 * own.norm()) << p << " " << shrinkage;
        EXPECT_TRUE(covariance_of(own).isIdentity(1e-9));
      }
    }
  }
}

TEST(Directions, ThreeViewsEqualTheGeneralisedEigenproblem) {
  for (const Index p : {5, 80}) {
    const Stack stack(700, {p, p + 3, p + 1}, 1, 20);
    const double shrinkage = 0.3;
    const MatrixXd s = covariance_of(stack.values);
    MatrixXd within = MatrixXd::Zero(s.rows(), s.cols());
    for (std::size_t v = 0; v < 3; ++v) {
      const Index at = stack.offset[v];
      const Index d = stack.offset[v + 1] - at;
      within.block(at, at, d, d) = (1 - shrinkage) * s.block(at, at, d, d) + shrinkage * MatrixXd::Identity(d, d);
    }
    MatrixXd between = s;
    for (std::size_t v = 0; v < 3; ++v) {
      const Index at = stack.offset[v];
      const Index d = stack.offset[v + 1] - at;
      between.block(at, at, d, d).setZero();
    }
    const VectorXd leading = testing::generalised_eigenproblem(between, within).vectors.rightCols(1);
    const Directions fit = stack.fit(1, shrinkage);
    for (std::size_t v = 0; v < 3; ++v) {
      const VectorXd reference = stack.view(v) * leading.segment(stack.offset[v], stack.view(v).cols());
      EXPECT_NEAR(std::abs(correlation(stack.view(v) * fit.per_view[v], reference)), 1, 1e-9);
    }
  }
}

TEST(Directions, AStartChangesOnlyTheWayThere) {
  const Stack stack(900, {200, 160}, 2, 30);
  const Directions plain = stack.fit(2, 0.1);
  const Directions warm = stack.fit(2, 0.1, stack.fit(2, 0.3).canonical);
  for (std::size_t v = 0; v < 2; ++v) {
    for (Index c = 0; c < 2; ++c) {
      EXPECT_NEAR(
          std::abs(correlation(stack.view(v) * plain.per_view[v].col(c), stack.view(v) * warm.per_view[v].col(c))), 1,
          1e-9);
    }
  }
}

TEST(Directions, RepeatedColumnsGiveNoComponentsOfRounding) {
  const Index n = 400;
  MatrixXd values(n, 7);  // a view of rank 2, one of rank 3
  values << random_normal(n, 2, 40), MatrixXd::Zero(n, 2), random_normal(n, 3, 41);
  values.col(2) = values.col(0) + values.col(1);
  values.col(3) = 3 * values.col(0) - values.col(1);
  values.col(4) += values.col(1);
  for (const double shrinkage : {0.0, 0.1}) {
    const Directions fit = fit_directions(covariance_of(values), {0, 4, 7}, 3, shrinkage, kToKeep, 1);
    EXPECT_LT(fit.per_view[0].cwiseAbs().maxCoeff(), 10);
    EXPECT_TRUE(fit.per_view[0].col(2).isZero(0));
    EXPECT_NEAR(correlation(values.leftCols(4) * fit.per_view[0].col(0), values.rightCols(3) * fit.per_view[1].col(0)),
                std::sqrt(0.5), 0.1);
  }
}

}  // namespace
}  // namespace treecca
