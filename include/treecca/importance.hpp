// Which features drive which component.
//
// Every split of every tree is credited to its feature. Importances follow the rotation: the gain of a split for
// component k is what it gains along the k-th rotated direction, computed exactly from leaf values and covers.
#pragma once

#include <string_view>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

enum class ImportanceKind {
  gain,    // reduction of the squared residual
  cover,   // training rows that passed the split
  splits,  // number of splits
};

/// gain, cover or splits; UsageError otherwise.
ImportanceKind importance_kind(std::string_view name);

/// K x p_v, each row sums to 1 (or is all zero when no tree was split). For scalar trees, cover and splits of
/// component k weigh every tree by the squared rotation entry of its component; for joint trees every split counts
/// for all components alike.
Matrix<double> component_importances(const Model& model, Index view, ImportanceKind kind);

/// p_v numbers that sum to 1 (or are all zero): all components together, weighted by what they gained.
std::vector<double> feature_importances(const Model& model, Index view, ImportanceKind kind);

}  // namespace treecca
