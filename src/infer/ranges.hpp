// Ranges that hold 95% of the refits. Pure functions.
#pragma once

#include <vector>

#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/stability.hpp"

namespace treecca {

/// Mean and range of each column; one row per refit.
RefitRange range_of(const Matrix<double>& refits);

/// Of one view. `importance`: K x p, of the model; `refits`: the same of each refit; `n_top`: 0 for the usual number.
/// Does not depend on `threads`.
FeatureStability feature_stability(Matrix<double> importance, const std::vector<const Matrix<double>*>& refits,
                                   Index n_top, Threads threads);

}  // namespace treecca
