// TreeCCA-SSL: learns components from one table without labels. Augmenting a row changes them as little as possible.
//
// Each round draws two augmented copies of all N rows and boosts one shared encoder so that the
// embeddings of the two copies correlate, as the two views of TreeCCA do. The model has a single view; new rows are
// embedded without augmentation. Its correlations are those between two new augmented copies.
// Deterministic: the same input, parameters and seed give the same model for any number of threads.
#pragma once

#include <functional>

#include "treecca/fit.hpp"

namespace treecca {

/// The augmentation of a row; the settings are applied in this order, to each cell independently.
struct Augmentation {
  double swap = 0;         // probability that a cell takes the value of another row, drawn at random (as in SCARF)
  double mask = 0;         // probability that a cell is missing
  bool sign_flip = false;  // each cell changes its sign with probability 1/2
  double noise = 0;        // standard deviation of Gaussian noise, in units of the feature's own

  bool any() const { return swap > 0 || mask > 0 || sign_flip || noise > 0; }
  bool operator==(const Augmentation&) const = default;
};

/// Fills `out` (N x p) with an augmented copy of the rows: copy 0 or 1 of a round, which must differ. Values must be
/// finite, or NaN if missing. Called from the calling thread.
using AugmentFunction = std::function<void(Index round, int copy, Matrix<float>& out)>;

enum class SslRows {
  stacked,     // each tree learns from both copies: 2N rows with a gradient each
  symmetrised  // the paper's Algorithm 3: the first copy alone, with the mean of both gradients
};

struct SslOptions : FitOptions {
  Augmentation augmentation;  // used when `augment` is empty
  AugmentFunction augment;    // custom augmentation
  SslRows rows = SslRows::stacked;
};

/// Values of unset parameters: many small steps of deep scalar trees; preset `paper` as in the paper's Appendix. One
/// table has no parts to fit and no linear CCA to blend with, so `automatic` is the same as `plain`.
Parameters ssl_parameters(Preset preset = Preset::plain);

/// The value of SslOptions::rows for a preset: symmetrised for `paper`, else stacked.
SslRows ssl_rows(Preset preset);

/// Fits a model with one view. `variates` has one matrix: the training rows without augmentation.
/// Failure: UsageError for parameters that a single encoder does not support (early stopping, gauss-seidel) and for
/// augmentations that are out of range or have no effect; DataError for the view; Interrupted.
FitResult fit_ssl(const View& view, const Parameters& parameters, const SslOptions& options);

}  // namespace treecca
