// Compares new samples with the samples of the fit. Returns sentences for the user.
//
// Columns as in the model. Models of earlier releases have no record of their training data: the results are then
// empty.
// Thread-safe: the model is only read.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// The fraction of the new samples that were training samples of the fit.
struct SeenSamples {
  double share = 0;     // of the rows; estimated if the fit had more than 1,000 samples
  std::string warning;  // empty below 5 %

  bool in_sample() const { return share > 0.5; }
};

/// Recognises samples by their values in all views. `views`: one per view of the model, in its order, with equally many
/// rows. Failure: DataError for a wrong number of views, rows or columns.
SeenSamples seen_samples(const Model& model, const std::vector<MatrixView>& views, Index n_jobs = -1);

/// A sentence if features of a view lie far from their values in the fit, as after a change of units, or if samples
/// have no value at all; else empty. Failure: UsageError for a view that the model does not have, DataError for a wrong
/// number of columns.
std::string far_from_training(const Model& model, Index view, const MatrixView& values, Index n_jobs = -1);

/// A sentence if correlations of new samples (K, mean over pairs) are below the fit's out-of-fold correlations by much
/// more than chance; else empty. Typical causes: mismatched rows, swapped views, different preprocessing.
std::string far_below_fit(const Model& model, const std::vector<double>& correlations, Index n_samples);

}  // namespace treecca
