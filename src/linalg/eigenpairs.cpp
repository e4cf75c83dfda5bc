#include "linalg/eigenpairs.hpp"

#include <algorithm>

#include "linalg/decompose.hpp"
#include "support/random.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kResidual = 1e-7;
constexpr Index kCheapToCheck = 64;  // vectors; for more, a check for convergence takes longer than a product

MatrixXd random_vectors(Index n, Index count, std::uint64_t seed) {
  const RandomKey key(seed, Draw::sketch);
  MatrixXd vectors(n, count);
  for (Index i = 0; i < vectors.size(); ++i) {
    vectors.data()[i] = key.normal(static_cast<std::uint64_t>(i));
  }
  return vectors;
}

}  // namespace

Eigenpairs leading_eigenpairs(const MatrixXd& matrix, Index k) {
  if (matrix.rows() == 0) return {MatrixXd(0, 0), VectorXd(0)};
  const SymmetricEigen eigen = symmetric_eigen(matrix);
  const Index kept = std::min<Index>(k, matrix.rows());
  return {eigen.vectors.rowwise().reverse().leftCols(kept), eigen.values.reverse().head(kept)};
}

Eigenpairs leading_eigenpairs(Index n, Index k, const std::function<MatrixXd(const MatrixXd&)>& apply, int max_products,
                              std::uint64_t seed) {
  const Index kept = std::min(k, n);
  const Index width = iterated_vectors(n, kept);
  MatrixXd basis = orthonormal_basis(random_vectors(n, width, seed));
  for (int products = 1;; ++products) {
    const MatrixXd image = apply(basis);
    if (width > kCheapToCheck && products < max_products) {
      basis = orthonormal_basis(image);
      continue;
    }
    // Rayleigh-Ritz: the best eigenpairs within the span of the basis.
    const MatrixXd projected = basis.transpose() * image;
    const Eigenpairs inner = leading_eigenpairs((projected + projected.transpose()) / 2, kept);
    const MatrixXd vectors = basis * inner.vectors;
    const MatrixXd residual = image * inner.vectors - vectors * inner.values.asDiagonal();
    if (products == max_products ||
        residual.colwise().norm().maxCoeff() <= kResidual * std::max(0.0, inner.values[0])) {
      return {vectors, inner.values};
    }
    basis = orthonormal_basis(image);
  }
}

}  // namespace treecca
