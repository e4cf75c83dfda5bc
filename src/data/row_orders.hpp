// Views with reordered rows, which break the pairing of samples in permutation tests.
#pragma once

#include <algorithm>
#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Per view: row i of the copy is row order[i] of the view; empty: all rows keep their places.
using RowOrders = std::vector<std::vector<Index>>;

/// A copy of the views in these orders. Properties of the samples (groups, weights, names, covariates) keep their rows.
class ReorderedDataset {
 public:
  ReorderedDataset(const Dataset& data, const RowOrders& orders);
  ReorderedDataset(const ReorderedDataset&) = delete;
  ReorderedDataset& operator=(const ReorderedDataset&) = delete;

  const Dataset& data() const { return data_; }

 private:
  std::vector<Matrix<double>> values_;  // of the reordered views
  Dataset data_;
};

/// Row i of the result is row order[i] of `values`.
template <class T>
Matrix<T> in_order(const Matrix<T>& values, const std::vector<Index>& order) {
  Matrix<T> result(values.rows(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    std::copy_n(values.row(order[static_cast<std::size_t>(i)]), values.cols(), result.row(i));
  }
  return result;
}

}  // namespace treecca
