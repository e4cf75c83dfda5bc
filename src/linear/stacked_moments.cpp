#include "linear/stacked_moments.hpp"

#include <cmath>
#include <span>

#include "linalg/row_products.hpp"
#include "linalg/tall_matrix.hpp"
#include "objective/adjustment.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// The stack of the given rows, with a last column of ones, times the root of their weights: its Gram
/// matrix holds (weighted) products, sums and the count.
TallMatrix weighted_rows(const TallMatrix& stack, std::span<const RowIndex> rows, std::span<const float> weights) {
  const auto load = [&stack, rows, weights](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
    stack.load(begin, end, block.leftCols(stack.cols));
    block.col(stack.cols).setOnes();
    for (Index i = begin; !weights.empty() && i < end; ++i) {
      block.row(i - begin) *=
          std::sqrt(static_cast<double>(weights[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])]));
    }
  };
  return {stack.rows, stack.cols + 1, load};
}

RawMoments moments_from_gram(const MatrixXd& gram_matrix) {
  const Index d = gram_matrix.rows() - 1;
  return {gram_matrix(d, d), gram_matrix.col(d).head(d), gram_matrix.topLeftCorner(d, d)};
}

}  // namespace

RawMoments RawMoments::operator-(const RawMoments& other) const {
  return {count - other.count, sum - other.sum, product - other.product};
}

MatrixXd RawMoments::scatter() const {
  if (count < 1) return MatrixXd::Zero(product.rows(), product.cols());
  return product - sum * sum.transpose() / count;
}

MatrixXd RawMoments::covariance() const {
  if (count < 2) return MatrixXd::Zero(product.rows(), product.cols());
  return scatter() / (count - 1);
}

MatrixXd StackedMoments::covariate_effect(const RawMoments& rows) const {
  const Index dimensions = offset.back(), d = covariate_columns;
  if (d == 0) return {};
  const MatrixXd covariance = rows.covariance();
  MatrixXd effect = MatrixXd::Zero(covariance.rows() - dimensions, dimensions);
  for (Index v = 0; v + 1 < static_cast<Index>(offset.size()); ++v) {
    const Index first = offset[static_cast<std::size_t>(v)], own = dimensions + v * d;
    const Index width = offset[static_cast<std::size_t>(v + 1)] - first;
    effect.block(v * d, first, d, width) =
        pseudo_inverse(covariance.block(own, own, d, d)) * covariance.block(own, first, d, width);
  }
  return effect;
}

MatrixXd StackedMoments::adjusted(const MatrixXd& covariance, const MatrixXd& effect) const {
  if (covariate_columns == 0) return covariance;
  const Index dimensions = offset.back(), e = effect.rows();
  const MatrixXd cross = covariance.topRightCorner(dimensions, e) * effect;
  return covariance.topLeftCorner(dimensions, dimensions) - cross - cross.transpose() +
         effect.transpose() * covariance.bottomRightCorner(e, e) * effect;
}

StackedMoments stacked_moments(const LinearViews& views, const Folds& folds, Threads threads) {
  const Samples& samples = *folds.samples;
  StackedMoments result;
  result.offset = views.offset();
  result.covariate_columns = views.covariate_columns();
  for (int f = 0; f < folds.count; ++f) {
    const std::span<const RowIndex> rows(folds.order.begin() + folds.begin[f],
                                         folds.order.begin() + folds.begin[f + 1]);
    const TallMatrix stack = views.stacked(rows);
    MatrixXd products = gram(weighted_rows(stack, rows, samples.weights()), threads);
    samples.peers().sum(span_of(products));
    RawMoments fold = moments_from_gram(products);
    if (result.folds.empty()) {
      result.total = fold;
    } else {
      result.total.count += fold.count;
      result.total.sum += fold.sum;
      result.total.product += fold.product;
    }
    result.folds.push_back(std::move(fold));
  }
  return result;
}

}  // namespace treecca
