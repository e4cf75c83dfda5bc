// The linear baseline that every fit shows beside its own figures: linear CCA (two views) or MCCA
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
#include <span>
#include <vector>

#include "samples/peers.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

inline constexpr Index kMaxLinearDimensions = 400;

struct LinearBaseline {
  std::vector<double> out_of_fold;  // K, descending; empty without folds
  std::vector<double> in_sample;    // K
  double shrinkage = 0;             // the value chosen (0 when there are no folds and the problem is well posed)
};

/// fold_of_row: empty, or N numbers in [0, folds); weights: none, or N. K may exceed the views' dimensions: then the
/// rest is 0. With peers, all of it is about the rows here, the result about all; `folds` > 0 tells that there are
/// folds. views_of_fold: empty, or the views that the fit which predicts a fold may use, where that is not all of them;
/// `views` are then for the figure in sample.
LinearBaseline linear_baseline(const std::vector<MatrixView>& views, Index k, const std::vector<int>& fold_of_row,
                               int folds, std::uint64_t seed, Threads threads, std::span<const float> weights = {},
                               const Peers& peers = {}, const std::vector<std::vector<MatrixView>>& views_of_fold = {});

}  // namespace treecca
