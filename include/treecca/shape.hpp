// Shapes: how a variate moves along one feature, whatever the others are. They show the relation that was found.
//
// The curve of feature j is the mean prediction of the trees when feature j has the value x: at a split on j a row goes
// where x sends it, at every other split it goes both ways, weighted by the training rows that did (cover). Exact for
// trees of depth one; otherwise what is known as the recursion method of partial dependence. Needs the model alone, no
// data. The curve is a step function; its steps are the thresholds of the feature. A category has one value per level.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

struct ShapeCurve {
  std::vector<std::string> levels;  // of a category that the model uses: `values` has one row for each; else empty
  std::vector<double> thresholds;   // T, ascending; empty: no tree tests the feature, or it is a category
  Matrix<double> values;            // (T + 1) x K: variates left of the first threshold, between two, right of the last
  std::vector<double> missing;      // K: for rows that lack the value
};

/// At most `max_steps` thresholds (1 to 100,000), spread over those the trees use. The slope of a base margin (preset
/// "paper") is included, at the middle of each step. Failure: UsageError for a view or feature that the model does not
/// have, or another number of steps.
ShapeCurve shape_curve(const Model& model, Index view, Index feature, Index max_steps = 64);

}  // namespace treecca
