// Partial dependence curves: a variate as a function of one feature, averaged over the others.
//
// The curve of feature j is the mean prediction of the trees when feature j has the value x: at a split on j a row
// follows x, at every other split it takes both branches, weighted by their training rows (cover). Exact for trees of
// depth one; otherwise this is known as the recursion method of partial dependence. Needs only the model, no data. The
// curve is a step function; its steps are the thresholds of the feature. A category has one value per level.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

struct ShapeCurve {
  std::vector<std::string> levels;  // of a category that the model uses: `values` has one row per level; else empty
  std::vector<double> thresholds;   // T, ascending; empty: no tree tests the feature, or it is a category
  Matrix<double> values;            // (T + 1) x K: variates left of the first threshold, between two, right of the last
  std::vector<double> missing;      // K: for rows without a value
};

/// At most `max_steps` thresholds (1 to 100,000), evenly chosen from the thresholds of the trees. The slope of a base
/// margin (preset "paper") is included, at the middle of each step. Failure: UsageError for a view or feature that the
/// model does not have, or an invalid number of steps.
ShapeCurve shape_curve(const Model& model, Index view, Index feature, Index max_steps = 64);

}  // namespace treecca
