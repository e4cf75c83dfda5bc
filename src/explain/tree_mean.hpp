// Means of a tree over the training rows, by the covers of its nodes.
//
// Pure functions; thread-safe.
#pragma once

#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/tree.hpp"

namespace treecca {

/// Fraction of the training rows of a split that go left; 1/2 where it has none.
double left_fraction(const Tree& tree, const Node& split);

/// Adds `share` times the tree's mean prediction where `feature` is x (NaN: missing) to `out`: W numbers, of which a
/// scalar tree changes one. Splits on other features send a row both ways. feature -1: all splits do.
/// width: numbers per leaf. `weights` is a workspace.
void add_mean_prediction(const Tree& tree, Index feature, double x, double share, Index width,
                         std::vector<double>& weights, double* out);

}  // namespace treecca
