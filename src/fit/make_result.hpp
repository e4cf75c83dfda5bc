// From trained encoders to a model: rotation, mean embedding, variates, correlations.
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

/// The model of two or more views, their variates and out-of-fold variates, of one cross-fit without linear CCA. Moves
/// the trees out of `trained`. Collective.
FitResult make_result(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

/// The same of parts: the mean of the aligned parts in the chosen blend. `linear`: the candidate that is linear CCA
/// alone. Moves the trees out of `fitted`. Collective.
FitResult make_result_of_parts(const Dataset& data, FittedParts& fitted, const std::vector<Candidate>& candidates,
                               const Choice& choice, const Candidate& linear, Run& run);

/// The same for one table. Its correlations are those of the last two augmented copies; its variates are those of the
/// rows as they are.
FitResult make_result_of_table(const Dataset& data, Trained& trained, const Folds& folds, Run& run);

/// Of one cross-fit's out-of-fold correlations, after rotation. Collective.
StandardErrors out_of_fold_standard_errors(const Trained& trained, const Folds& folds, Run& run);

/// Out-of-fold correlations with their standard errors and noise thresholds.
void set_out_of_fold(Correlations& correlations, const ComponentCorrelations& out_of_fold, const StandardErrors& errors,
                     const Samples& samples);

/// The only candidate of a fit without blends, and linear CCA beside it.
void set_single_candidate(Correlations& correlations, LinearBaseline linear);

/// What all have in common at the end: parameters as asked, engine_params, what the training data are like, warnings,
/// timings. Checks the model, so that what has been fitted can be kept. Collective.
void complete(FitResult& result, const Setting& setting, const Parameters& asked, const Dataset& data, Run& run);

}  // namespace treecca
