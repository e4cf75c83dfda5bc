#include "linear/stacked_moments.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "linalg/row_products.hpp"
#include "linalg/tall_matrix.hpp"
#include "objective/adjustment.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// The stack of the given rows, with a last column of ones (or a column per view that is 1 in the rows that have it),
/// times the root of their weights: its Gram matrix holds (weighted) products, sums and counts.
TallMatrix weighted_rows(const TallMatrix& stack, std::span<const RowIndex> rows, const Samples& samples) {
  const Index more = std::max<Index>(1, samples.n_views());
  const auto load = [&stack, &samples, rows, more](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
    stack.load(begin, end, block.leftCols(stack.cols));
    for (Index i = begin; i < end; ++i) {
      const auto row = static_cast<Index>(rows[static_cast<std::size_t>(i)]);
      for (Index v = 0; v < more; ++v) block(i - begin, stack.cols + v) = samples.has(v, row) ? 1.0 : 0.0;
      if (!samples.weights().empty()) block.row(i - begin) *= std::sqrt(samples.weight(row));
    }
  };
  return {stack.rows, stack.cols + more, load};
}

RawMoments moments_from_gram(const MatrixXd& gram_matrix, std::vector<Index> view_of_column) {
  const Index d = view_of_column.empty() ? gram_matrix.rows() - 1 : static_cast<Index>(view_of_column.size());
  const Index more = gram_matrix.rows() - d;
  return {gram_matrix.bottomRightCorner(more, more), gram_matrix.topRightCorner(d, more),
          gram_matrix.topLeftCorner(d, d), std::move(view_of_column)};
}

/// The view of every column of the stack; empty if all rows have all views.
std::vector<Index> views_of_columns(const StackedMoments& moments, const Samples& samples) {
  std::vector<Index> views;
  const Index m = samples.n_views();
  for (Index v = 0; v < m; ++v) {
    const auto at = static_cast<std::size_t>(v);
    views.insert(views.end(), static_cast<std::size_t>(moments.offset[at + 1] - moments.offset[at]), v);
  }
  for (Index v = 0; v < m; ++v) views.insert(views.end(), static_cast<std::size_t>(moments.covariate_columns), v);
  return views;
}

}  // namespace

RawMoments RawMoments::operator-(const RawMoments& other) const {
  return {count - other.count, sum - other.sum, product - other.product, view};
}

RawMoments& RawMoments::operator+=(const RawMoments& other) {
  count += other.count;
  sum += other.sum;
  product += other.product;
  return *this;
}

MatrixXd RawMoments::scatter() const {
  if (view.empty()) {
    if (count(0, 0) < 1) return MatrixXd::Zero(product.rows(), product.cols());
    return product - sum * sum.transpose() / count(0, 0);
  }
  MatrixXd result(product.rows(), product.cols());
  for (Index b = 0; b < result.cols(); ++b) {
    const Index w = view[static_cast<std::size_t>(b)];
    for (Index a = 0; a < result.rows(); ++a) {
      const Index v = view[static_cast<std::size_t>(a)];
      const double n = count(v, w);
      result(a, b) = n < 1 ? 0.0 : product(a, b) - sum(a, w) * sum(b, v) / n;
    }
  }
  return result;
}

MatrixXd RawMoments::covariance() const {
  if (view.empty()) {
    if (count(0, 0) < 2) return MatrixXd::Zero(product.rows(), product.cols());
    return scatter() / (count(0, 0) - 1);
  }
  MatrixXd result = scatter();
  for (Index b = 0; b < result.cols(); ++b) {
    for (Index a = 0; a < result.rows(); ++a) {
      const double n = count(view[static_cast<std::size_t>(a)], view[static_cast<std::size_t>(b)]);
      result(a, b) = n < 2 ? 0.0 : result(a, b) / (n - 1);
    }
  }
  return result;
}

MatrixXd StackedMoments::covariate_effect(const RawMoments& rows) const {
  const Index dimensions = offset.back(), d = covariate_columns;
  if (d == 0) return {};
  const MatrixXd scatter = rows.scatter(), scatter_of_all = total.scatter();
  MatrixXd effect = MatrixXd::Zero(scatter.rows() - dimensions, dimensions);
  for (Index v = 0; v + 1 < static_cast<Index>(offset.size()); ++v) {
    const Index first = offset[static_cast<std::size_t>(v)], own = dimensions + v * d;
    const Index width = offset[static_cast<std::size_t>(v + 1)] - first;
    effect.block(v * d, first, d, width) =
        inverse_of_part(scatter.block(own, own, d, d), scatter_of_all.block(own, own, d, d)) *
        scatter.block(own, first, d, width);
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
  const std::vector<Index> view_of_column = views_of_columns(result, samples);
  for (int f = 0; f < folds.count; ++f) {
    const std::span<const RowIndex> rows(folds.order.begin() + folds.begin[f],
                                         folds.order.begin() + folds.begin[f + 1]);
    const TallMatrix stack = views.stacked(rows);
    MatrixXd products = gram(weighted_rows(stack, rows, samples), threads);
    samples.peers().sum(span_of(products));
    RawMoments fold = moments_from_gram(products, view_of_column);
    if (result.folds.empty()) {
      result.total = fold;
    } else {
      result.total += fold;
    }
    result.folds.push_back(std::move(fold));
  }
  return result;
}

}  // namespace treecca
