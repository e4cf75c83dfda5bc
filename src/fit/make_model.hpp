// From trained encoders to a model: rotation, mean embedding, variates, correlations.
#pragma once

#include "data/dataset.hpp"
#include "samples/folds.hpp"
#include "support/run.hpp"
#include "train/trained.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// The model of two or more views, their variates and out-of-fold variates. Moves the trees out of `trained`. Linear
/// baseline, warnings and timings are left to the caller. Collective.
FitResult make_result(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

/// The same for one table. Its correlations are those of the last two augmented copies; its variates are those of the
/// rows as they are.
FitResult make_result_of_table(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

}  // namespace treecca
