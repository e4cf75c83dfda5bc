// Evaluates a setting on rows that its trees have not seen, without making a model. The results are the same as from
// `fit` with rotate.
#pragma once

#include <vector>

#include "fit/choose.hpp"
#include "fit/part.hpp"
#include "treecca/cv.hpp"

namespace treecca {

struct Judged {
  Parameters parameters;              // with every "auto" resolved
  double linear_weight = 0;           // of linear CCA in the variates
  ComponentCorrelations out_of_fold;  // after sorting (one cross-fit), or of the chosen blend (parts)
  StandardErrors standard_errors;     // of out_of_fold
  History history;
  CvFolds folds;
};

/// `setting` without "auto" values, with cross_fit > 0; `splits` from make_splits. `views`: of the same data as
/// `shared`; may be null for a single cross-fit (is_single_fit). Failure: as fit_parts.
Judged judge(TrainingData& shared, const LinearViews* views, const Setting& setting, const std::vector<Folds>& splits,
             Run& run);

/// Judged::folds alone, which take less time.
CvFolds judge_folds(TrainingData& shared, const LinearViews* views, const Setting& setting,
                    const std::vector<Folds>& splits, Run& run);

}  // namespace treecca
