// From views to a fitted model.
//
// All views have the same number of rows N, in the same order. Memory beyond the input: N bytes per feature
// (bins), and about 8 * N * K * (folds + 2) bytes per view. Deterministic: the same input, parameters and
// seed give the same model for any number of threads.
#pragma once

#include <string>
#include <vector>

#include "treecca/engines.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/parameters.hpp"
#include "treecca/progress.hpp"
#include "treecca/samples.hpp"
#include "treecca/transform.hpp"
#include "treecca/view.hpp"

namespace treecca {

struct FitOptions : SampleOptions, RunOptions {
  EngineParams engine_params;  // handed to XGBoost or LightGBM as they are
};

struct FitResult {
  Model model;
  std::vector<Matrix<float>> variates;     // per view N x K: the final model on the training rows
  std::vector<Matrix<float>> out_of_fold;  // per view N x K: every row by encoders that never saw it; empty
                                           // without cross-fitting
  std::vector<float> weights;              // N with mean 1, or none: how much each row counted
  std::vector<Stage> timings;
  std::vector<std::string> warnings;  // plain sentences for the user: about the input, then about the result
};

/// Fits TreeCCA (TreeMCCA for more than two views).
/// Failure: UsageError for parameters, DataError for the views (fewer than two, unequal lengths, fewer than ten
/// rows or fewer rows or groups than folds, infinities, a constant view, weights that are negative), Interrupted;
/// FileError when the library of another engine is not there.
FitResult fit(const std::vector<View>& views, const Parameters& parameters = {}, const FitOptions& options = {});

}  // namespace treecca
