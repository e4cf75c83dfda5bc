// Start values of the embeddings: without them all targets would be zero and nothing would ever move.
//
// Every start is a function of the view's own features, so it can be kept as a base margin for new rows:
//   pca                unit-norm principal component scores (left singular vectors), columns centred
//   pca-scaled         the same at unit variance
//   random-orthogonal  random projections of the standardised features, orthonormalised
//   random             random projections, small and as they fall
//   zero               zeros (stays at zero for ever; kept for completeness)
// A start that fades out is only a direction to begin with: it is brought to unit variance, and components beyond the
// view's rank (K may exceed the number of features) are filled with harmonics cos(pi h u) of the ranks u of
// the leading principal components. Deterministic for any number of threads.
#pragma once

#include <cstdint>

#include "samples/shard.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/parameters.hpp"
#include "treecca/view.hpp"

namespace treecca {

struct Start {
  Matrix<float> values;  // N x K
  BaseMargin map;        // the linear part, for new rows
};

/// How much of a fading start is left after so many rounds: from 1 down to 0. A start that is kept is no matter of
/// rounds: 0.
double start_weight(const Parameters& parameters, Index rounds_done);

/// `shard` has the rows of the view; the start is that of all rows.
Start start_values(const View& view, Index view_number, const Parameters& parameters, Threads threads,
                   const Shard& shard);
inline Start start_values(const View& view, Index view_number, const Parameters& parameters, Threads threads) {
  return start_values(view, view_number, parameters, threads, view.values.rows());
}

}  // namespace treecca
