// Fits a model to views.
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
  EngineParams engine_params;  // passed unchanged to XGBoost or LightGBM
};

struct FitResult {
  Model model;
  std::vector<Matrix<float>> variates;     // per view N x K: the final model on its training rows
  std::vector<Matrix<float>> out_of_fold;  // per view N x K: every row by encoders that have not seen it; empty
                                           // without cross-fitting
  std::vector<float> weights;              // N, mean 1, or empty: weight of each row
  std::vector<Stage> timings;
  std::vector<std::string> warnings;  // sentences for the user: about the input, then about the result
};

/// Fits TreeCCA (TreeMCCA for more than two views).
/// Failure: UsageError for parameters; DataError for the views (fewer than two, unequal lengths, fewer than ten rows,
/// fewer rows or groups than folds, infinities, a constant view, negative weights); Interrupted; FileError if the
/// library of another engine is missing.
FitResult fit(const std::vector<View>& views, const Parameters& parameters = {}, const FitOptions& options = {});

}  // namespace treecca
