// Loadings: the correlation of every feature with the variates of its own view and of the other views.
//
// A category has a correlation ratio instead: the correlation with the mean of the variate in its level, corrected for
// the number of levels (the square root of epsilon squared, 0 if that is negative). It has no sign.
// Only samples with a value are used, with their weights. The standard error of a correlation comes from the influence
// of every sample, summed within groups, and is at least the standard error of independent normal samples; with several
// processes it is the latter. Results are rounded to four decimals and do not depend on the number of threads.
// Collective.
#pragma once

#include <vector>

#include "samples/samples.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Per view. `variates`: per view N x K. `model`: its views have the mean and deviation of every feature. `cross`:
/// whether the trees have not seen the samples of the variates; if they have, cross-loadings would be too high and are
/// left out, as for a single view.
std::vector<Loadings> loadings_of(const std::vector<View>& views, const Model& model,
                                  const std::vector<Matrix<float>>& variates, bool cross, const Samples& samples,
                                  Threads threads);

}  // namespace treecca
