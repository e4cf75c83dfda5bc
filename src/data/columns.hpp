// Selects columns of a matrix, and the columns of views that screening kept.
//
// Column numbers count from 0 and must exist. Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <type_traits>
#include <vector>

#include "data/design.hpp"
#include "data/feature_sets.hpp"
#include "treecca/matrix.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Copies columns of a matrix, in the order given; of a MatrixView in single precision, minus their offsets. `Number`:
/// Index, or the std::int32_t of a FeatureSet.
template <class Values, class Number>
auto some_columns(const Values& values, const std::vector<Number>& columns) {
  Matrix<std::remove_cvref_t<decltype(values(0, 0))>> result(values.rows(), static_cast<Index>(columns.size()));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) result(i, j) = values(i, columns[static_cast<std::size_t>(j)]);
  }
  return result;
}

/// Whether a row has no value: all entries are NaN.
bool is_empty_row(const MatrixView& values, Index row);

/// Views without the columns that screening left out, for linear methods (design.hpp). Refers to the views and to its
/// own copies; neither may move.
struct SelectedColumns {
  SelectedColumns() = default;
  SelectedColumns(const SelectedColumns&) = delete;
  SelectedColumns& operator=(const SelectedColumns&) = delete;
  SelectedColumns(SelectedColumns&&) = default;  // moving a deque does not move its elements

  std::vector<MatrixView> of_any_fold;           // per view: columns that at least one fold may use
  std::vector<std::vector<MatrixView>> by_fold;  // [fold][view]; empty if all folds may use all columns
  std::deque<Matrix<float>> copies;
  std::deque<Design> designs;
};

SelectedColumns selected_columns(const std::vector<View>& views, const FeatureSets& kept, int folds);

}  // namespace treecca
