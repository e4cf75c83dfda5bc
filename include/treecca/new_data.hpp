// How new samples compare with those that a model was fitted to. Sentences are for the user.
//
// Columns as in the model. A model of an earlier release knows nothing of its training data: then nothing is said.
// Thread-safe: the model is only read.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// How many of new samples a fit has seen.
struct SeenSamples {
  double share = 0;     // of the rows; estimated when the fit had more than 1,000 samples
  std::string warning;  // empty below a share of 5 %

  bool in_sample() const { return share > 0.5; }
};

/// Recognises samples by their values in all views. `views`: one per view of the model, in its order, with equally many
/// rows. Failure: DataError for another number of views, rows or columns.
SeenSamples seen_samples(const Model& model, const std::vector<MatrixView>& views, Index n_jobs = -1);

/// Whether the features of a view lie elsewhere than in the fit, as with other units, or samples have no value at all:
/// a sentence, or an empty text. Failure: UsageError for a view that the model does not have, DataError for another
/// number of columns.
std::string far_from_training(const Model& model, Index view, const MatrixView& values, Index n_jobs = -1);

/// Whether correlations of new samples (K, mean over pairs) are far below the out-of-fold ones of the fit, by more than
/// chance: a sentence, or an empty text. Rows that do not belong together, swapped views and other preprocessing show
/// so.
std::string far_below_fit(const Model& model, const std::vector<double>& correlations, Index n_samples);

}  // namespace treecca
