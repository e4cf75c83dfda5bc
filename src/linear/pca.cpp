#include "linear/pca.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "linalg/eigenpairs.hpp"
#include "linalg/row_products.hpp"
#include "linalg/tall_matrix.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Passes over the data for initial values.
constexpr int kStartPasses = 8;
constexpr Index kLargestGram = 4096;  // maximum side of a Gram matrix that is stored for the iteration

/// Whether to compute all eigenvectors of a Gram matrix of this side: because it is cheap, or cheaper than iterating
/// for k of them (operations, at Eigen's measured rates).
bool solve_exactly(Index side, Index k, int passes) {
  const double n = static_cast<double>(side);
  const double width = static_cast<double>(iterated_vectors(side, k));
  return side <= 512 || 19 * n * n * n <= passes * (2 * n * n * width + 9 * n * width * width);
}

/// The sum of a matrix over all processes.
MatrixXd summed(MatrixXd matrix, const Peers& peers) {
  peers.sum(span_of(matrix));
  return matrix;
}

/// L'L times vectors, as an operator: through the Gram matrix if computing it once takes fewer operations than reading
/// the rows in every pass (with more rows than columns; it may double the bytes sent between processes).
std::function<MatrixXd(const MatrixXd&)> gram_operator(const TallMatrix& tall, Index k, int passes, Threads threads,
                                                       const Peers& peers) {
  if (tall.cols > kLargestGram || tall.cols > 2 * passes * iterated_vectors(tall.cols, k)) {
    return [&tall, &peers, threads](const MatrixXd& v) { return summed(gram_product(tall, v, threads), peers); };
  }
  return [matrix = summed(gram(tall, threads), peers), threads](const MatrixXd& v) {
    const auto load = [&](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
      block = matrix.middleRows(begin, end - begin);
    };
    return product({matrix.rows(), matrix.cols(), load}, v, threads);
  };
}

/// An eigenvalue below this fraction of the largest is a rounding error.
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

MatrixXd principal_axes(const MatrixView& x, const ColumnScaling& scaling, Index k, int passes, std::uint64_t seed,
                        Threads threads, const Peers& peers) {
  const Index n = peers.sum(x.rows());
  const bool wide = peers.alone() && x.cols() > n;
  const TallMatrix tall = wide ? scaled_columns(x, scaling) : scaled_rows(x, scaling);
  const Eigenpairs pairs =
      solve_exactly(tall.cols, k, passes)
          ? leading_eigenpairs(summed(gram(tall, threads), peers), k)
          : leading_eigenpairs(tall.cols, k, gram_operator(tall, k, passes, threads, peers), passes, seed);
  const Index rank = std::min(n, numerical_rank(pairs.values, rank_tolerance(n, x.cols())));
  const MatrixXd vectors = pairs.vectors.leftCols(rank);
  return wide ? MatrixXd(product(tall, vectors, threads).colwise().normalized()) : vectors;
}

PrincipalComponents principal_components(const MatrixView& x, Index k, bool standardise, std::uint64_t seed,
                                         Threads threads, const Peers& peers) {
  const Index n = x.rows();
  const Index p = x.cols();
  const ColumnScaling scaling = column_scaling(x, standardise, threads, peers);
  const MatrixXd axes = principal_axes(x, scaling, k, kStartPasses, seed, threads, peers);
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
