#include "linear/pca.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/eigenpairs.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Passes over the data that start values are worth.
constexpr int kMaxPasses = 8;

/// Whether all eigenvectors of a Gram matrix of this side are wanted: cheap, or cheaper than
/// iterating for k of them.
bool solve_exactly(Index side, Index k) { return side <= 512 || (side <= 2048 && side <= 8 * k); }

/// An eigenvalue below this fraction of the largest is rounding.
double rank_tolerance(Index rows, Index cols) {
  const double longest = static_cast<double>(std::max(rows, cols));
  return std::max(1e-12, longest * std::numeric_limits<double>::epsilon());
}

Index numerical_rank(const VectorXd& values, double tolerance) {
  Index rank = 0;
  while (rank < values.size() && values[rank] > 0 && values[rank] > tolerance * values[0]) ++rank;
  return rank;
}

}  // namespace

MatrixXd principal_axes(const MatrixView& x, const ColumnScaling& scaling, Index k, std::uint64_t seed, Threads threads,
                        const Peers& peers) {
  const Index n = peers.sum(x.rows());
  const bool wide = peers.alone() && x.cols() > n;
  const RowSource tall = wide ? scaled_columns(x, scaling) : scaled_rows(x, scaling, peers);
  const Eigenpairs pairs =
      solve_exactly(tall.cols, k)
          ? leading_eigenpairs(gram(tall, threads), k)
          : leading_eigenpairs(
                tall.cols, k, [&](const MatrixXd& v) { return gram_times(tall, v, threads); }, kMaxPasses, seed);
  const Index rank = std::min(n, numerical_rank(pairs.values, rank_tolerance(n, x.cols())));
  const MatrixXd vectors = pairs.vectors.leftCols(rank);
  return wide ? MatrixXd(product(tall, vectors, threads).colwise().normalized()) : vectors;
}

PrincipalComponents principal_components(const MatrixView& x, Index k, bool standardise, std::uint64_t seed,
                                         Threads threads, const Peers& peers) {
  const Index n = x.rows();
  const Index p = x.cols();
  const ColumnScaling scaling = column_scaling(x, standardise, threads, peers);
  const MatrixXd axes = principal_axes(x, scaling, k, seed, threads, peers);
  const MatrixXd projection = product(scaled_rows(x, scaling), axes, threads);

  PrincipalComponents result;
  result.map.mean = scaling.mean;
  result.map.weights = Matrix<double>(p, k);
  result.scores = Matrix<double>(n, k);
  result.singular_values.assign(static_cast<std::size_t>(k), 0.0);
  result.rank = axes.cols();
  std::vector<double> squares;
  for (Index c = 0; c < result.rank; ++c) squares.push_back(projection.col(c).squaredNorm());
  peers.sum(squares);
  for (Index c = 0; c < result.rank; ++c) {
    const double singular = std::sqrt(squares[static_cast<std::size_t>(c)]);
    result.singular_values[static_cast<std::size_t>(c)] = singular;
    double largest = 0;
    for (Index j = 0; j < p; ++j) {
      double& weight = result.map.weights(j, c);
      weight = axes(j, c) * scaling.weight[static_cast<std::size_t>(j)] / singular;
      if (std::abs(weight) > std::abs(largest)) largest = weight;
    }
    const double sign = largest < 0 ? -1 : 1;
    for (Index j = 0; j < p; ++j) result.map.weights(j, c) *= sign;
    for (Index i = 0; i < n; ++i) result.scores(i, c) = sign * projection(i, c) / singular;
  }
  return result;
}

}  // namespace treecca
