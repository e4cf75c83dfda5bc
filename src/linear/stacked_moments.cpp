#include "linear/stacked_moments.hpp"

#include <cmath>
#include <span>

#include "linalg/row_products.hpp"
#include "linalg/tall_matrix.hpp"

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

StackedMoments stacked_moments(const LinearViews& views, const Folds& folds, Threads threads) {
  const Samples& samples = *folds.samples;
  StackedMoments result;
  result.offset = views.offset();
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
