// Views whose rows are paired otherwise: for tests of whether the pairing matters.
#pragma once

#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Per view: row i is what row order[i] was; empty: all rows stay where they are.
using RowOrders = std::vector<std::vector<Index>>;

/// A copy of the views in these orders. What belongs to the samples (groups, weights, names) stays in its rows.
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
Matrix<float> in_order(const Matrix<float>& values, const std::vector<Index>& order);

}  // namespace treecca
