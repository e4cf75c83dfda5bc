// A linear map of a view's features: (x - mean) * weights. A missing value counts as the mean.
#pragma once

#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// Empty (no rows in weights): no map.
struct LinearMap {
  std::vector<double> mean;  // p_v
  Matrix<double> weights;    // p_v x W

  bool empty() const { return weights.empty(); }
  bool operator==(const LinearMap&) const = default;
};

/// The initial values kept in a model (init_fade = 0, preset "paper").
using BaseMargin = LinearMap;

}  // namespace treecca
