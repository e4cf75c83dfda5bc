// Views whose rows are paired otherwise: for tests of whether the pairing matters.
#pragma once

#include <algorithm>
#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Per view: row i is what row order[i] was; empty: all rows stay where they are.
using RowOrders = std::vector<std::vector<Index>>;

/// A copy of the views in these orders. What belongs to the samples (groups, weights, names, covariates) stays in its
/// rows.
class ReorderedDataset {
 public:
  ReorderedDataset(const Dataset& data, const RowOrders& orders);
  ReorderedDataset(const ReorderedDataset&) = delete;
  ReorderedDataset& operator=(const ReorderedDataset&) = delete;

  const Dataset& data() const { return data_; }

 private:
  std::vector<Matrix<double>> values_;  // of the views that were reordered
  Dataset data_;
};

/// Row i is what row order[i] was.
template <class T>
Matrix<T> in_order(const Matrix<T>& values, const std::vector<Index>& order) {
  Matrix<T> result(values.rows(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    std::copy_n(values.row(order[static_cast<std::size_t>(i)]), values.cols(), result.row(i));
  }
  return result;
}

}  // namespace treecca
