// Initial values of the embeddings. Without them all targets would be zero, and training could not begin.
//
// Initial values are a function of the view's own features, so they can be kept as a base margin for new rows:
//   pca                unit-norm principal component scores (left singular vectors), columns centred
//   pca-scaled         the same at unit variance
//   random-orthogonal  random projections of the standardised features, orthonormalised
//   random             random projections, small and not orthogonalised
//   zero               zeros (training then stays at zero; kept for comparison with the paper) Initial values that fade
// out determine only the first targets. They are scaled to unit variance, and components beyond the view's rank (K may
// exceed the number of features) are filled with harmonics cos(pi h u) of the ranks u of the leading principal
// components. Deterministic for any number of threads.
#pragma once

#include <cstdint>

#include "data/feature_sets.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/parameters.hpp"
#include "treecca/view.hpp"

namespace treecca {

struct Start {
  Matrix<float> values;  // N x W
  BaseMargin map;        // the linear part, for new rows
};

/// Number of rounds over which the initial values fade out: init_fade, but at most half of all rounds, so that the last
/// rounds do not have them. 0: they do not fade.
Index rounds_of_fade(const Parameters& parameters);

/// Weight of fading initial values after `rounds_done` rounds: from 1 down to 0. Returns 0 if init_fade is 0: the
/// initial values are then a base margin, not a fading term.
double start_weight(const Parameters& parameters, Index rounds_done);

/// `samples` has the rows of the view; the initial values use all rows.
Start start_values(const View& view, Index view_number, const Parameters& parameters, Threads threads,
                   const Samples& samples);

/// Initial values of a view whose features were screened. Initial values from all features would be mostly noise. Every
/// row gets values from the features that its fold kept, which were chosen without the row. The folds' initial values
/// are aligned with each other. `kept`: per fold.
Start screened_start_values(const View& view, Index view_number, const std::vector<FeatureSet>& kept,
                            const Folds& folds, const Parameters& parameters, Threads threads);

/// Initial values that do not depend on features: N x W random numbers with orthonormal columns, at unit variance if
/// they fade. For one table, whose two copies share them.
Matrix<float> random_start_values(Index rows, const Parameters& parameters);

}  // namespace treecca
