#include "infer/match.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace treecca {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd normal(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> draw;
  return MatrixXd::NullaryExpr(rows, cols, [&] { return draw(generator); });
}

TEST(MatchComponents, UndoesAnOrderAndSigns) {
  const std::vector<Index> order{2, 0, 3, 1};
  const std::vector<double> sign{1, -1, -1, 1};
  const std::vector<MatrixXd> model{normal(80, 4, 1), normal(80, 4, 2)};
  std::vector<MatrixXd> refit;  // component l of the refit is component order[l] of the model, with noise
  for (std::size_t v = 0; v < 2; ++v) {
    MatrixXd z(80, 4);
    for (Index l = 0; l < 4; ++l) {
      const auto at = static_cast<std::size_t>(l);
      z.col(l) = 3 * sign[at] * model[v].col(order[at]) + 0.5 * normal(80, 1, static_cast<unsigned>(10 + l)).col(0);
    }
    refit.push_back(z.array() + 7);  // means do not matter
  }
  const Matching matching = match_components(component_correlations(model, refit, VectorXd::Ones(80)));
  for (Index l = 0; l < 4; ++l) {
    const auto k = static_cast<std::size_t>(order[static_cast<std::size_t>(l)]);
    EXPECT_EQ(matching.of[k], l);
    EXPECT_EQ(matching.sign[k], sign[static_cast<std::size_t>(l)]);
  }
}

TEST(MatchComponents, IsTheBestOfAllOrders) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Index n = 1 + seed % 6;
    const MatrixXd correlations = normal(n, n, seed);
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    double best = 0;
    const auto sum_of = [&](const std::vector<Index>& of) {
      double sum = 0;
      for (Index k = 0; k < n; ++k) sum += std::abs(correlations(k, of[static_cast<std::size_t>(k)]));
      return sum;
    };
    do {
      best = std::max(best, sum_of(order));
    } while (std::next_permutation(order.begin(), order.end()));
    const Matching matching = match_components(correlations);
    EXPECT_NEAR(sum_of(matching.of), best, 1e-12) << seed;
    for (Index k = 0; k < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      EXPECT_EQ(matching.sign[at], correlations(k, matching.of[at]) < 0 ? -1 : 1);
    }
  }
}

TEST(ComponentCorrelations, AreWeightedMeansOverViews) {
  const std::vector<MatrixXd> a{normal(30, 2, 1), normal(30, 2, 2)}, b{normal(30, 2, 3), normal(30, 2, 4)};
  VectorXd weights = VectorXd::LinSpaced(30, 0, 2);
  const MatrixXd result = component_correlations(a, b, weights);
  for (Index k = 0; k < 2; ++k) {
    for (Index l = 0; l < 2; ++l) {
      double mean = 0;
      for (std::size_t v = 0; v < 2; ++v) {
        double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
        for (Index i = 0; i < 30; ++i) {
          const double w = weights(i), p = a[v](i, k), q = b[v](i, l);
          n += w, x += w * p, y += w * q, xx += w * p * p, yy += w * q * q, xy += w * p * q;
        }
        mean += (xy / n - x / n * y / n) / std::sqrt((xx / n - x / n * x / n) * (yy / n - y / n * y / n)) / 2;
      }
      EXPECT_NEAR(result(k, l), mean, 1e-12);
    }
  }
  const std::vector<MatrixXd> constant{MatrixXd::Constant(30, 1, 0.1)};
  EXPECT_EQ(component_correlations(constant, {normal(30, 1, 1)}, weights)(0, 0), 0);
}

}  // namespace
}  // namespace treecca
