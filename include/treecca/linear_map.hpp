// A linear map of a view's features: (x - mean) * weights for a number, the weights of its level for a category.
// Missing values and categories that the map leaves out contribute 0.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// Empty (no rows in weights): no map.
struct LinearMap {
  std::vector<double> mean;  // p_v; 0 for a category
  Matrix<double> weights;    // p_v x W, then one row per level of every category; the category's own row is 0
  /// p_v + 1: the levels of feature j have the rows level_begin[j] to level_begin[j + 1] - 1 (none for a number).
  /// Empty: no categories.
  std::vector<std::int32_t> level_begin = {};

  bool empty() const { return weights.empty(); }
  bool operator==(const LinearMap&) const = default;

  /// A value of feature j adds factor * weights.row(row).
  struct Term {
    Index row;
    double factor;
  };
  Term term(Index j, float value) const {
    const auto at = static_cast<std::size_t>(j);
    if (std::isnan(value)) return {j, 0.0};
    if (level_begin.empty() || level_begin[at] == level_begin[at + 1]) {
      return {j, static_cast<double>(value) - mean[at]};
    }
    const Index levels = level_begin[at + 1] - level_begin[at];
    if (!(value >= 0 && value < static_cast<float>(levels))) return {j, 0.0};
    return {level_begin[at] + static_cast<Index>(value), 1.0};
  }
};

/// The initial values kept in a model (init_fade = 0, preset "paper").
using BaseMargin = LinearMap;

}  // namespace treecca
