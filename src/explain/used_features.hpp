// The features that the variates of a view depend on: features that trees test, and features in linear maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treecca/linear_map.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

inline constexpr std::int32_t kUnused = -1;

/// Features that the splits of a view's trees use.
struct TestedFeatures {
  std::vector<Index> features;       // ascending
  std::vector<std::int32_t> places;  // p_v: position in `features`, or kUnused
  Index n_nodes = 0;                 // of all trees together

  explicit TestedFeatures(const ViewModel& view);
};

/// The trees that test each feature. The view must outlive the object.
class TreesByFeature {
 public:
  explicit TreesByFeature(const ViewModel& view);

  const TestedFeatures& tested() const { return tested_; }
  /// One part's encoders with only the trees that test the feature at this place; features are numbered by place.
  std::vector<Encoder> encoders_with(std::size_t place, std::size_t part) const;

 private:
  struct TreePlace {
    std::size_t part = 0, encoder = 0, tree = 0;
    bool operator==(const TreePlace&) const = default;
  };

  const ViewModel& view_;
  TestedFeatures tested_;
  std::vector<std::vector<TreePlace>> trees_;  // by place of the feature
};

/// Linear CCA, and the base margin after the rotations: maps from features to the K variates, to be added.
std::vector<LinearMap> linear_parts(const ViewModel& view, Index n_components);

}  // namespace treecca
