// The linear baseline that every fit reports next to its own correlations: linear CCA (two views) or MCCA
// (more).
//
// Views are standardised and, when wide, reduced to their leading principal components (at most
// `kMaxLinearDimensions`, and at most a third of the rows); then ridge CCA/MCCA is fitted in that
// space for a few shrinkage values in [0, 1): within-view covariance (1 - c) * S + c *
// mean(diag(S)) * I. Each fold is predicted by a fit to the other folds, with the shrinkage that
// does best on the other folds. Components are decorrelated (canonical_rotation) before they are
// counted.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

inline constexpr Index kMaxLinearDimensions = 400;

struct LinearBaseline {
  std::vector<double> out_of_fold;  // K, descending; empty without folds
  std::vector<double> in_sample;    // K
  double shrinkage = 0;             // the value chosen (0 when there are no folds and the problem is well posed)
};

/// The views have at least one column each. K may exceed the views' dimensions: then the rest is 0. views_of_fold:
/// empty, or the views that the fit which predicts a fold may use, where those are not all; `views` then serve the
/// in-sample correlations. Collective.
LinearBaseline linear_baseline(const std::vector<MatrixView>& views, const Folds& folds, Index k, std::uint64_t seed,
                               Threads threads, const std::vector<std::vector<MatrixView>>& views_of_fold = {});

}  // namespace treecca
