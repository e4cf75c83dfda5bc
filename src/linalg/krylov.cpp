#include "linalg/krylov.hpp"

#include <algorithm>

#include "linalg/decompose.hpp"
#include "support/random.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

constexpr Index kBasisColumns = 240;  // up to about this size, solving the projected problem costs no more than a
                                      // product
constexpr Index kMaxBlocks = 20;
constexpr Index kMinBlocks = 5;
constexpr int kProductsPerCheck = 2;  // checking the residuals takes about as long as a product

/// The known vectors, then random ones, scaled to the length of an average random vector.
MatrixXd start_block(Index n, Index width, const MatrixXd& known, std::uint64_t seed) {
  MatrixXd block(n, width);
  const Index given = std::min(width, known.cols());
  block.leftCols(given) = known.leftCols(given);
  const RandomKey key(seed, Draw::sketch);
  for (Index i = n * given; i < block.size(); ++i) block.data()[i] = key.normal(static_cast<std::uint64_t>(i));
  return orthonormal_basis(block);
}

/// Orthonormal columns, orthogonal to the basis. The projection is done twice, because of columns that lie in the basis
/// only a rounding error remains the first time.
MatrixXd orthogonal_to(const Eigen::Ref<const MatrixXd>& basis, MatrixXd block) {
  for (int pass = 0; pass < 2; ++pass) {
    block.noalias() -= basis * (basis.transpose() * block).eval();
    block = orthonormal_basis(block);
  }
  block.noalias() -= basis * (basis.transpose() * block).eval();
  return block;
}

}  // namespace

Eigenpairs krylov_eigenpairs(Index n, Index k, const MatrixXd& known,
                             const std::function<MatrixXd(const MatrixXd&)>& apply, KrylovLimits limits,
                             std::uint64_t seed) {
  const Index width = krylov_width(k);
  const Index columns = std::min(n / width, std::clamp(kBasisColumns / width, kMinBlocks, kMaxBlocks)) * width;
  MatrixXd basis(n, columns);
  MatrixXd images(n, columns);  // matrix * basis
  MatrixXd projected = MatrixXd::Zero(columns, columns);
  MatrixXd block = start_block(n, width, known, seed);
  Index used = 0;
  for (int products = 1;; ++products) {
    basis.middleCols(used, width) = block;
    images.middleCols(used, width) = apply(block);
    used += width;
    const auto span = basis.leftCols(used);
    const MatrixXd column = span.transpose() * images.middleCols(used - width, width);
    projected.block(0, used - width, used, width) = column;
    projected.block(used - width, 0, width, used) = column.transpose();

    const bool last = products >= limits.max_products;
    const bool full = used + width > columns;
    MatrixXd next = images.middleCols(used - width, width);
    if (last || full || products % kProductsPerCheck == 0) {
      const MatrixXd small = projected.topLeftCorner(used, used);
      const SymmetricEigen eigen = symmetric_eigen((small + small.transpose()) / 2);
      const MatrixXd inner = eigen.vectors.rightCols(k).rowwise().reverse();
      const Eigen::VectorXd values = eigen.values.tail(k).reverse();
      const double scale = eigen.values.cwiseAbs().maxCoeff();
      const MatrixXd vectors = span * inner;
      const MatrixXd residual = images.leftCols(used) * inner - vectors * values.asDiagonal();
      if (last || residual.colwise().norm().maxCoeff() <= limits.residual * scale) return {vectors, values};
      if (full) {
        // The residuals of all vectors of the basis lie in one block, so a smaller basis of the best vectors can
        // continue the iteration of the large one.
        next = orthogonal_to(span, next);
        const Index kept = columns / width / 2 * width;
        const MatrixXd best = eigen.vectors.rightCols(kept).rowwise().reverse();
        basis.leftCols(kept) = (span * best).eval();
        images.leftCols(kept) = (images.leftCols(used) * best).eval();
        projected.setZero();
        projected.diagonal().head(kept) = eigen.values.tail(kept).reverse();
        used = kept;
      }
    }
    block = orthogonal_to(basis.leftCols(used), std::move(next));
  }
}

}  // namespace treecca
