// Which features the variates of a view use: those that trees test, and linear maps.
#pragma once

#include <cstdint>
#include <vector>

#include "treecca/linear_map.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

inline constexpr std::int32_t kUnused = -1;

/// The features that trees of a view test.
struct TestedFeatures {
  std::vector<Index> features;       // ascending
  std::vector<std::int32_t> places;  // p_v: place in `features`, or kUnused
  Index n_nodes = 0;                 // of all trees

  explicit TestedFeatures(const ViewModel& view);
};

/// Linear CCA, and the base margin through the rotations: maps from features to the K variates, which add up.
std::vector<LinearMap> linear_parts(const ViewModel& view, Index n_components);

}  // namespace treecca
