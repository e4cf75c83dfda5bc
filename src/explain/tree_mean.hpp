// Means of a tree over its training rows, weighted by the covers of its nodes.
//
// Pure functions; thread-safe.
#pragma once

#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/tree.hpp"

namespace treecca {

/// Fraction of the training rows at a split that go left; 1/2 if no row reached it.
double left_fraction(const Tree& tree, const Node& split);

/// Adds `share` times the tree's mean prediction with `feature` at x (NaN: missing) to `out`: W numbers, of which a
/// scalar tree changes one. At splits on other features a row takes both branches; with feature -1, at all splits.
/// width: numbers per leaf. `weights` is a workspace.
void add_mean_prediction(const Tree& tree, Index feature, double x, double share, Index width,
                         std::vector<double>& weights, double* out);

}  // namespace treecca
