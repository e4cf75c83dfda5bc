// Scores as users see them.
#pragma once

#include <vector>

#include "screen/pair_scores.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// Of all rows; p-values where there are maxima of shuffles.
FeatureScores public_scores(const ViewScores& scores, const std::vector<double>& maxima);

}  // namespace treecca
