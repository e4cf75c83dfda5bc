// Centres and scales the columns of a view for PCA and linear CCA.
//
// A value that is not finite counts as missing, a missing value as the mean of its column. A
// constant column (or one without values) has weight 0. Rows without any value do not count. Results do not depend on
// the number of threads. With peers, the view holds some of the rows, but means and deviations describe all rows.
#pragma once

#include <cmath>
#include <vector>

#include "linalg/tall_matrix.hpp"
#include "samples/peers.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Value x of column j becomes (x - mean[j]) * weight[j].
struct ColumnScaling {
  std::vector<double> mean;
  std::vector<double> weight;
};

/// weight = 1, or with `standardise` 1 / standard deviation of the column, with missing values at the mean.
ColumnScaling column_scaling(const MatrixView& x, bool standardise, Threads threads, const Peers& peers = {});

/// The scaled value of row i, column j.
inline double scaled_value(const MatrixView& x, const ColumnScaling& scaling, Index i, Index j) {
  const double value = x(i, j);
  const std::size_t at = static_cast<std::size_t>(j);
  return std::isfinite(value) ? (value - scaling.mean[at]) * scaling.weight[at] : 0.0;
}

/// The scaled view (N x p) or its transpose (p x N). Both arguments must outlive the source.
TallMatrix scaled_rows(const MatrixView& x, const ColumnScaling& scaling);
TallMatrix scaled_columns(const MatrixView& x, const ColumnScaling& scaling);

}  // namespace treecca
