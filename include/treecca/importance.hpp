// Importances: which features drive which component.
//
// Trees: every split counts for its feature. Importances follow the rotation: the gain of a split for component k is
// its gain along the k-th rotated direction, computed exactly from leaf values and covers. Linear CCA: a feature's
// fraction of the sum of (coefficient x standard deviation)^2. A blend with weight w: (1 - w) x trees + w x linear.
#pragma once

#include <string_view>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

enum class ImportanceKind {
  gain,    // loss reduction by the trees, blended with linear CCA as in the variates
  trees,   // of the trees alone
  linear,  // of linear CCA alone
  cover,   // training rows that reached the split; trees only
  splits,  // number of splits; trees only
};

/// By name; UsageError otherwise.
ImportanceKind importance_kind(std::string_view name);

/// K x p_v; each row sums to 1 (or is all zero: no tree was split, or linear CCA has no weight). For scalar trees,
/// cover and splits of component k weight every tree by the squared rotation entry of its component; for joint trees
/// every split counts equally for all components.
Matrix<double> component_importances(const Model& model, Index view, ImportanceKind kind);

/// p_v numbers that sum to 1 (or are all zero): all components together, weighted by their gains, including components
/// below noise.
std::vector<double> feature_importances(const Model& model, Index view, ImportanceKind kind);

}  // namespace treecca
