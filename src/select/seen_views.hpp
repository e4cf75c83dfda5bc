// Views as the encoders see them after screening: columns that were left out are not there.
#pragma once

#include <deque>
#include <vector>

#include "select/choose.hpp"
#include "treecca/fit.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Some columns of a matrix, in the order given.
Matrix<float> some_columns(const MatrixView& values, const std::vector<std::int32_t>& columns);

/// Refers to the views and to its own copies: neither may move.
struct SeenViews {
  SeenViews() = default;
  SeenViews(const SeenViews&) = delete;
  SeenViews& operator=(const SeenViews&) = delete;
  SeenViews(SeenViews&&) = default;  // a deque moves without moving what it holds

  std::vector<MatrixView> by_any;                // per view: what at least one fold sees
  std::vector<std::vector<MatrixView>> by_fold;  // [fold][view]; empty where all folds see all of every view
  std::deque<Matrix<float>> copies;
};
SeenViews seen_views(const std::vector<View>& views, const KeptFeatures& kept, int folds);

}  // namespace treecca
