// Makes a model and its result from trained encoders: rotation, mean embedding, variates, correlations.
#pragma once

#include <vector>

#include "data/dataset.hpp"
#include "fit/candidate.hpp"
#include "fit/choose.hpp"
#include "fit/part.hpp"
#include "linear/cca.hpp"
#include "samples/folds.hpp"
#include "support/run.hpp"
#include "train/train.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// The model, variates and out-of-fold variates of one cross-fit of two or more views without linear CCA. Moves the
/// trees out of `trained`. Collective.
FitResult make_result(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

/// The same for parts: the mean of the aligned parts in the chosen blend. `linear`: the candidate for linear CCA alone.
/// Moves the trees out of `fitted`. Collective.
FitResult make_result_of_parts(const Dataset& data, FittedParts& fitted, const std::vector<Candidate>& candidates,
                               const Choice& choice, const Candidate& linear, Run& run);

/// The same for one table. Its correlations compare the last two augmented copies; its variates are computed from the
/// rows without augmentation.
FitResult make_result_of_table(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

/// Standard errors from one cross-fit's out-of-fold variates, after rotation. Collective.
StandardErrors out_of_fold_standard_errors(const Trained& trained, const Folds& folds, Run& run);

/// Out-of-fold correlations with their standard errors and noise thresholds.
void set_out_of_fold(Correlations& correlations, const ComponentCorrelations& out_of_fold, const StandardErrors& errors,
                     const Samples& samples);

/// The single candidate of a fit without blends, and linear CCA for comparison.
void set_single_candidate(Correlations& correlations, LinearBaseline linear);

/// Adds the fields that all models share: parameters as given, engine_params, statistics of the training data,
/// warnings, timings. Checks the model, so that every fitted model can be saved. Collective.
void complete(FitResult& result, const Setting& setting, const Parameters& asked, const Dataset& data, Run& run);

}  // namespace treecca
