#include "linear/linear_views.hpp"

#include <algorithm>
#include <numeric>

#include "linear/pca.hpp"
#include "support/order.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// Passes of the search for the leading principal components: linear CCA needs only the space that they span.
constexpr int kPasses = 3;
constexpr Index kCachedValues = Index{1} << 23;  // 64 MB
constexpr Index kCachedRows = 256;               // projected by one thread at a time

}  // namespace

std::vector<Index> kept_dimensions(const std::vector<Index>& columns, Index rows) {
  const Index third = std::max<Index>(1, rows / 3);
  std::vector<Index> kept;
  for (const Index p : columns) kept.push_back(std::min({p, kMaxLinearDimensions, third}));
  Index stack = std::accumulate(kept.begin(), kept.end(), Index{0});
  const std::vector<Index> narrowest_first = descending_order(
      static_cast<Index>(columns.size()), [&](Index v) { return -columns[static_cast<std::size_t>(v)]; });
  for (const Index view : narrowest_first) {
    const std::size_t v = static_cast<std::size_t>(view);
    const Index more = columns[v] - kept[v];
    if (columns[v] > third || stack + more > kMaxWholeStack) continue;
    kept[v] += more;
    stack += more;
  }
  return kept;
}

LinearViews::LinearViews(std::vector<MatrixView> views, const Samples& samples, std::uint64_t seed, Threads threads,
                         std::vector<const Matrix<double>*> covariates)
    : views_(std::move(views)), samples_(&samples), offset_{0}, covariates_(std::move(covariates)) {
  std::vector<Index> columns;
  for (const MatrixView& view : views_) columns.push_back(view.cols());
  Index rows_of_view = samples.total();
  for (Index v = 0; v < samples.n_views(); ++v) rows_of_view = std::min(rows_of_view, samples.shared(v, v).rows);
  const std::vector<Index> kept = kept_dimensions(columns, rows_of_view);
  std::vector<Reduced> all;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    Reduced reduced{column_scaling(views_[v], true, threads, samples.peers()), {}};
    if (columns[v] > kept[v]) {
      reduced.axes = principal_axes(views_[v], reduced.scaling, kept[v], kPasses, seed, threads, samples.peers());
      if (reduced.axes.cols() == 0) reduced.axes = MatrixXd::Zero(columns[v], 1);  // a constant view
    }
    offset_.push_back(offset_.back() + (reduced.axes.size() > 0 ? reduced.axes.cols() : columns[v]));
    all.push_back(std::move(reduced));
  }
  reduced_ = std::make_shared<const std::vector<Reduced>>(std::move(all));

  const Index n = samples.here();
  if (n * dimensions() > kCachedValues) return;
  RowMatrix cache(n, dimensions());
  std::vector<RowIndex> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), RowIndex{0});
  parallel_blocks(n, kCachedRows, threads.for_work(n * dimensions()), [&](Index begin, Index end) {
    project({rows.begin() + begin, rows.begin() + end}, cache.middleRows(begin, end - begin));
  });
  cache_ = std::move(cache);
}

LinearViews::LinearViews(const LinearViews& original, std::vector<MatrixView> views,
                         const std::vector<std::vector<Index>>& orders, std::vector<const Matrix<double>*> covariates)
    : views_(std::move(views)),
      samples_(original.samples_),
      reduced_(original.reduced_),
      offset_(original.offset_),
      covariates_(std::move(covariates)),
      cache_(original.cache_) {
  if (cache_.size() == 0) return;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    if (orders[v].empty()) continue;
    const Index width = offset_[v + 1] - offset_[v];
    for (Index i = 0; i < cache_.rows(); ++i) {
      cache_.row(i).segment(offset_[v], width) =
          original.cache_.row(orders[v][static_cast<std::size_t>(i)]).segment(offset_[v], width);
    }
  }
}

void LinearViews::project(std::span<const RowIndex> rows, Eigen::Ref<RowMatrix> stack) const {
  for (std::size_t v = 0; v < views_.size(); ++v) {
    const Reduced& reduced = (*reduced_)[v];
    const auto load = [&](auto&& values) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (Index j = 0; j < views_[v].cols(); ++j) {
          values(static_cast<Index>(i), j) = scaled_value(views_[v], reduced.scaling, static_cast<Index>(rows[i]), j);
        }
      }
    };
    auto target = stack.middleCols(offset_[v], offset_[v + 1] - offset_[v]);
    if (reduced.axes.size() == 0) {
      load(target);
    } else {
      RowMatrix values(static_cast<Index>(rows.size()), views_[v].cols());
      load(values);
      target.noalias() = values * reduced.axes;
    }
  }
}

TallMatrix LinearViews::stacked(std::span<const RowIndex> rows) const {
  const auto load = [this, rows](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
    const auto own = rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    if (cache_.size() == 0) project(own, block.leftCols(dimensions()));
    const Index d = covariate_columns();
    for (std::size_t i = 0; i < own.size(); ++i) {
      auto row = block.row(static_cast<Index>(i));
      if (cache_.size() > 0) row.head(dimensions()) = cache_.row(static_cast<Index>(own[i]));
      for (std::size_t v = 0; v < covariates_.size(); ++v) {
        const double* covariates = covariates_[v]->row(static_cast<Index>(own[i]));
        auto of_view = row.segment(dimensions() + static_cast<Index>(v) * d, d);
        of_view = Eigen::Map<const Eigen::RowVectorXd>(covariates, d);
        if (!samples_->has(static_cast<Index>(v), static_cast<Index>(own[i]))) of_view.setZero();
      }
    }
  };
  return {static_cast<Index>(rows.size()), dimensions() + static_cast<Index>(covariates_.size()) * covariate_columns(),
          load};
}

LinearMap LinearViews::map_of_features(int v, const MatrixXd& of_dimensions) const {
  const Reduced& reduced = (*reduced_)[static_cast<std::size_t>(v)];
  const MatrixXd of_columns = reduced.axes.size() == 0 ? of_dimensions : MatrixXd(reduced.axes * of_dimensions);
  LinearMap map{reduced.scaling.mean, Matrix<double>(of_columns.rows(), of_columns.cols())};
  for (Index j = 0; j < of_columns.rows(); ++j) {
    for (Index c = 0; c < of_columns.cols(); ++c) {
      map.weights(j, c) = of_columns(j, c) * reduced.scaling.weight[static_cast<std::size_t>(j)];
    }
  }
  return map;
}

}  // namespace treecca
