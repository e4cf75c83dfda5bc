// Applies a linear map of the features: (x - mean) * weights; a missing value counts as the mean.
#pragma once

#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"  // for BaseMargin

namespace treecca {

/// Adds the map of rows [begin, end) to out: (end - begin) x K doubles, row-major.
void add_linear_scores(const BaseMargin& map, const MatrixView& x, Index begin, Index end, double* out);

/// All rows: N x K. Does not depend on `threads`.
Matrix<double> linear_scores(const BaseMargin& map, const MatrixView& x, Threads threads);

}  // namespace treecca
