// From trained encoders to a model: rotation, mean embedding, variates, correlations.
#pragma once

#include "data/dataset.hpp"
#include "linear/cca.hpp"
#include "samples/folds.hpp"
#include "support/run.hpp"
#include "train/train.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// The model of two or more views, their variates and out-of-fold variates. Moves the trees out of `trained`.
/// Collective.
FitResult make_result(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

/// The same for one table. Its correlations are those of the last two augmented copies; its variates are those of the
/// rows as they are.
FitResult make_result_of_table(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

/// What both have in common at the end: linear baseline, engine_params, warnings, timings. Checks the model, so that
/// what has been fitted can be kept. Collective.
void complete(FitResult& result, const Setting& setting, LinearBaseline linear, const Dataset& data, Run& run);

}  // namespace treecca
