// Partial dependence curves: a variate as a function of one feature, averaged over the others.
//
// The curve of feature j is the mean prediction of the trees when feature j has the value x: at a split on j a row
// follows x, at every other split it takes both branches, weighted by their training rows (cover). Exact for trees of
// depth one; otherwise this is known as the recursion method of partial dependence. Needs only the model, no data.
// Between two thresholds of the feature the trees are constant, and linear CCA or a base margin adds a slope, so the
// curve consists of pieces of lines with a common slope. A category has one value per level.
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
  std::vector<double> at;           // T + 1: the value of the feature, inside the step, that `values` belong to
  std::vector<double> slopes;       // K: inside every step; 0 for trees alone
  std::vector<double> missing;      // K: for rows without a value
};

/// At most `max_steps` thresholds (1 to 100,000), evenly chosen from the thresholds of the trees;
/// with linear CCA, also from places up to two standard deviations from the mean of the feature. Failure: UsageError
/// for a view or feature that the model does not have, or an invalid number of steps.
ShapeCurve shape_curve(const Model& model, Index view, Index feature, Index max_steps = 64);

}  // namespace treecca
