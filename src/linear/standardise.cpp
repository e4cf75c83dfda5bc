#include "linear/standardise.hpp"

#include <algorithm>
#include <limits>

#include "support/parallel.hpp"

namespace treecca {
namespace {

constexpr Index kBlock = 4096;

/// Sums over the rows of one block, per column.
struct ColumnSums {
  std::vector<double> count, sum, low, high;
};

ColumnSums block_sums(const MatrixView& x, Index begin, Index end) {
  const std::size_t p = static_cast<std::size_t>(x.cols());
  ColumnSums sums{std::vector<double>(p, 0.0), std::vector<double>(p, 0.0),
                  std::vector<double>(p, std::numeric_limits<double>::infinity()),
                  std::vector<double>(p, -std::numeric_limits<double>::infinity())};
  for (Index i = begin; i < end; ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      const double value = x(i, static_cast<Index>(j));
      if (!std::isfinite(value)) continue;
      sums.count[j] += 1;
      sums.sum[j] += value;
      sums.low[j] = std::min(sums.low[j], value);
      sums.high[j] = std::max(sums.high[j], value);
    }
  }
  return sums;
}

/// Rows without any value do not belong to the view.
Index rows_with_values(const MatrixView& x) {
  Index rows = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    Index j = 0;
    while (j < x.cols() && !std::isfinite(x(i, j))) ++j;
    rows += j < x.cols() ? 1 : 0;
  }
  return rows;
}

}  // namespace

ColumnScaling column_scaling(const MatrixView& x, bool standardise, Threads threads, const Peers& peers) {
  const std::size_t p = static_cast<std::size_t>(x.cols());
  const std::size_t blocks = static_cast<std::size_t>((x.rows() + kBlock - 1) / kBlock);
  const auto block_number = [](Index begin) { return static_cast<std::size_t>(begin / kBlock); };

  std::vector<ColumnSums> sums(blocks);
  parallel_blocks(x.rows(), kBlock, threads,
                  [&](Index begin, Index end) { sums[block_number(begin)] = block_sums(x, begin, end); });
  ColumnScaling scaling{std::vector<double>(p, 0.0), std::vector<double>(p, 0.0)};
  std::vector<double> totals(2 * p + 1, 0.0);                                     // counts, sums, rows
  std::vector<double> extremes(2 * p, -std::numeric_limits<double>::infinity());  // -low, high
  totals[2 * p] = static_cast<double>(rows_with_values(x));
  for (const ColumnSums& block : sums) {
    for (std::size_t j = 0; j < p; ++j) {
      totals[j] += block.count[j];
      totals[p + j] += block.sum[j];
      extremes[j] = std::max(extremes[j], -block.low[j]);
      extremes[p + j] = std::max(extremes[p + j], block.high[j]);
    }
  }
  peers.sum(totals);
  peers.max(extremes);
  for (std::size_t j = 0; j < p; ++j) {
    const double low = -extremes[j];
    const double high = extremes[p + j];
    if (low < high) {
      scaling.mean[j] = totals[p + j] / totals[j];
      scaling.weight[j] = 1;
    } else if (low == high) {
      scaling.mean[j] = low;  // the rounded mean may differ from it
    }
  }
  if (!standardise) return scaling;

  std::vector<std::vector<double>> squares(blocks);
  parallel_blocks(x.rows(), kBlock, threads, [&](Index begin, Index end) {
    std::vector<double> block(p, 0.0);
    for (Index i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < p; ++j) {
        const double value = scaled_value(x, scaling, i, static_cast<Index>(j));
        block[j] += value * value;
      }
    }
    squares[block_number(begin)] = std::move(block);
  });
  std::vector<double> total(p, 0.0);
  for (const std::vector<double>& block : squares) {
    for (std::size_t j = 0; j < p; ++j) total[j] += block[j];
  }
  peers.sum(total);
  for (std::size_t j = 0; j < p; ++j) {
    if (total[j] > 0) scaling.weight[j] = std::sqrt((totals[2 * p] - 1) / total[j]);
  }
  return scaling;
}

TallMatrix scaled_rows(const MatrixView& x, const ColumnScaling& scaling) {
  return {x.rows(), x.cols(), [&x, &scaling](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
            for (Index i = begin; i < end; ++i) {
              for (Index j = 0; j < x.cols(); ++j) {
                block(i - begin, j) = scaled_value(x, scaling, i, j);
              }
            }
          }};
}

TallMatrix scaled_columns(const MatrixView& x, const ColumnScaling& scaling) {
  return {x.cols(), x.rows(), [&x, &scaling](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
            for (Index i = 0; i < x.rows(); ++i) {  // the memory order of most views
              for (Index j = begin; j < end; ++j) {
                block(j - begin, i) = scaled_value(x, scaling, i, j);
              }
            }
          }};
}

}  // namespace treecca
