// Views as columns of numbers, for linear methods: a category becomes one indicator per level.
//
// A category with more than kMostIndicators levels is left out (its columns would outweigh all others), unless its view
// would then have no column. If a sample lacks the category, all its indicators count as their means.
#pragma once

#include <memory>
#include <vector>

#include "treecca/linear_map.hpp"
#include "treecca/matrix.hpp"
#include "treecca/view.hpp"

namespace treecca {

inline constexpr std::size_t kMostIndicators = 20;

/// Categories that are left out, ascending.
std::vector<Index> features_without_indicators(const Levels& levels);

/// The columns of one view. Refers to its numbers; a view without categories is used as it is. A value: copies share
/// the columns. Thread-safe.
class Design {
 public:
  explicit Design(const View& view);

  const MatrixView& values() const { return values_; }
  /// Converts a map of the columns to a map of the features.
  LinearMap map_of_features(LinearMap of_columns) const;

 private:
  struct Column {
    Index feature;
    Index level;  // -1: a number
  };
  std::vector<std::size_t> level_counts_;  // of each feature; empty without categories
  std::vector<Column> columns_;
  std::shared_ptr<const Matrix<float>> copy_;
  MatrixView values_;
};

std::vector<Design> designs_of(const std::vector<View>& views);
std::vector<MatrixView> matrices_of(const std::vector<Design>& designs);

}  // namespace treecca
