// Views as the encoders see them after screening: columns that were left out are not there.
#pragma once

#include <deque>
#include <vector>

#include "data/feature_sets.hpp"
#include "treecca/matrix.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Some columns of a matrix, in the order given.
Matrix<float> some_columns(const MatrixView& values, const std::vector<std::int32_t>& columns);

/// Refers to the views and to its own copies: neither may move.
struct SelectedColumns {
  SelectedColumns() = default;
  SelectedColumns(const SelectedColumns&) = delete;
  SelectedColumns& operator=(const SelectedColumns&) = delete;
  SelectedColumns(SelectedColumns&&) = default;  // a deque moves without moving what it holds

  std::vector<MatrixView> of_any_fold;           // per view: what at least one fold sees
  std::vector<std::vector<MatrixView>> by_fold;  // [fold][view]; empty where all folds see all of every view
  std::deque<Matrix<float>> copies;
};
SelectedColumns selected_columns(const std::vector<View>& views, const FeatureSets& kept, int folds);

}  // namespace treecca
