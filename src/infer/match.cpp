#include "infer/match.hpp"

#include <cmath>
#include <limits>

#include "fit/alignment.hpp"

namespace treecca {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Centred columns of length 1, rows times the root of their weight; zero where constant.
MatrixXd standardised_columns(const MatrixXd& z, const VectorXd& weights) {
  constexpr double kRounding = 1e-12;
  const double total = weights.sum();
  MatrixXd result = z;
  if (!(total > 0)) return MatrixXd::Zero(z.rows(), z.cols());
  result.rowwise() -= (weights.transpose() * z) / total;
  result = weights.cwiseSqrt().asDiagonal() * result;
  for (Index c = 0; c < z.cols(); ++c) {
    const double length = result.col(c).norm();
    const double before = std::sqrt((weights.array() * z.col(c).array().square()).sum());
    result.col(c) *= length > kRounding * before && length > 0 ? 1 / length : 0.0;
  }
  return result;
}

/// Shortest augmenting paths: assigns rows to columns of the K x K costs so that their sum is smallest.
std::vector<Index> cheapest_assignment(const MatrixXd& costs) {
  const Index n = costs.rows();
  constexpr double kFar = std::numeric_limits<double>::infinity();
  // Rows and columns count from 1; row 0 is the row to be assigned. Potentials keep reduced costs at 0 or more.
  VectorXd row_potential = VectorXd::Zero(n + 1), column_potential = VectorXd::Zero(n + 1);
  std::vector<Index> row_of(static_cast<std::size_t>(n) + 1, 0);
  for (Index row = 1; row <= n; ++row) {
    row_of[0] = row;
    Index column = 0;
    VectorXd shortest = VectorXd::Constant(n + 1, kFar);
    std::vector<Index> before(static_cast<std::size_t>(n) + 1, 0);
    std::vector<bool> used(static_cast<std::size_t>(n) + 1, false);
    do {
      used[static_cast<std::size_t>(column)] = true;
      const Index own = row_of[static_cast<std::size_t>(column)];
      double step = kFar;
      Index next = 0;
      for (Index j = 1; j <= n; ++j) {
        if (used[static_cast<std::size_t>(j)]) continue;
        const double reduced = costs(own - 1, j - 1) - row_potential(own) - column_potential(j);
        if (reduced < shortest(j)) {
          shortest(j) = reduced;
          before[static_cast<std::size_t>(j)] = column;
        }
        if (shortest(j) < step) {
          step = shortest(j);
          next = j;
        }
      }
      for (Index j = 0; j <= n; ++j) {
        if (used[static_cast<std::size_t>(j)]) {
          row_potential(row_of[static_cast<std::size_t>(j)]) += step;
          column_potential(j) -= step;
        } else {
          shortest(j) -= step;
        }
      }
      column = next;
    } while (row_of[static_cast<std::size_t>(column)] != 0);
    while (column != 0) {
      const Index previous = before[static_cast<std::size_t>(column)];
      row_of[static_cast<std::size_t>(column)] = row_of[static_cast<std::size_t>(previous)];
      column = previous;
    }
  }
  std::vector<Index> column_of(static_cast<std::size_t>(n));
  for (Index j = 1; j <= n; ++j) column_of[static_cast<std::size_t>(row_of[static_cast<std::size_t>(j)] - 1)] = j - 1;
  return column_of;
}

}  // namespace

MatrixXd component_correlations(const std::vector<MatrixXd>& model, const std::vector<MatrixXd>& refit,
                                const VectorXd& weights, const Samples& samples) {
  MatrixXd sum = MatrixXd::Zero(model[0].cols(), refit[0].cols());
  for (std::size_t v = 0; v < model.size(); ++v) {
    const VectorXd own = weights_of_view(weights, v, samples);
    sum += standardised_columns(model[v], own).transpose() * standardised_columns(refit[v], own);
  }
  return sum / static_cast<double>(model.size());
}

Matching match_components(const MatrixXd& correlations) {
  Matching matching;
  matching.of = cheapest_assignment(-correlations.cwiseAbs());
  for (Index k = 0; k < correlations.rows(); ++k) {
    matching.sign.push_back(correlations(k, matching.of[static_cast<std::size_t>(k)]) < 0 ? -1.0 : 1.0);
  }
  return matching;
}

}  // namespace treecca
