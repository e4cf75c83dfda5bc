#include "linear/stacked_moments.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "linalg/row_products.hpp"
#include "linalg/tall_matrix.hpp"
#include "linear/pca.hpp"
#include "linear/standardise.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// Of the search for the leading principal components: linear CCA wants the space that they span, not each of them.
constexpr int kPasses = 3;

/// How the values of a view become its columns in the stack.
struct Reduction {
  ColumnScaling scaling;
  MatrixXd axes;  // p x d; empty: the scaled columns themselves
  Index dimensions = 0;
};

Reduction reduce(const MatrixView& view, Index max_dimensions, std::uint64_t seed, Threads threads,
                 const Peers& peers) {
  Reduction reduction{column_scaling(view, true, threads, peers), {}, view.cols()};
  const Index limit = std::max<Index>(1, std::min(max_dimensions, peers.sum(view.rows()) / 3));
  if (view.cols() <= limit) return reduction;
  reduction.axes = principal_axes(view, reduction.scaling, limit, kPasses, seed, threads, peers);
  if (reduction.axes.cols() == 0) reduction.axes = MatrixXd::Zero(view.cols(), 1);  // a constant view
  reduction.dimensions = reduction.axes.cols();
  return reduction;
}

/// The stack of the given rows, with a last column of ones, times the root of their weights: its Gram
/// matrix holds (weighted) products, sums and the count.
TallMatrix stacked_rows(const std::vector<MatrixView>& views, const std::vector<Reduction>& reductions,
                        const std::vector<Index>& offset, std::span<const RowIndex> rows,
                        std::span<const float> weights) {
  const auto load = [&, rows, weights](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
    for (std::size_t v = 0; v < views.size(); ++v) {
      const Reduction& reduction = reductions[v];
      RowMatrix values(end - begin, views[v].cols());
      for (Index i = begin; i < end; ++i) {
        const Index row = rows[static_cast<std::size_t>(i)];
        for (Index j = 0; j < values.cols(); ++j) {
          values(i - begin, j) = scaled_value(views[v], reduction.scaling, row, j);
        }
      }
      auto target = block.middleCols(offset[v], reduction.dimensions);
      if (reduction.axes.size() == 0) {
        target = values;
      } else {
        target.noalias() = values * reduction.axes;
      }
    }
    block.col(offset.back()).setOnes();
    for (Index i = begin; !weights.empty() && i < end; ++i) {
      block.row(i - begin) *=
          std::sqrt(static_cast<double>(weights[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])]));
    }
  };
  return {static_cast<Index>(rows.size()), offset.back() + 1, load};
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

StackedMoments stacked_moments(const std::vector<MatrixView>& views, Index max_dimensions, const Folds& folds,
                               std::uint64_t seed, Threads threads) {
  const Peers& peers = folds.samples->peers();
  StackedMoments result;
  std::vector<Reduction> reductions;
  result.offset.push_back(0);
  for (const MatrixView& view : views) {
    reductions.push_back(reduce(view, max_dimensions, seed, threads, peers));
    result.offset.push_back(result.offset.back() + reductions.back().dimensions);
  }

  for (int f = 0; f < folds.count; ++f) {
    const std::span<const RowIndex> rows(folds.order.begin() + folds.begin[f],
                                         folds.order.begin() + folds.begin[f + 1]);
    MatrixXd products = gram(stacked_rows(views, reductions, result.offset, rows, folds.samples->weights()), threads);
    peers.sum(span_of(products));
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
