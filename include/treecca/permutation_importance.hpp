// Permutation importance: how much the correlation of a component falls when the values of one feature are permuted.
//
// Gain and SHAP values describe the model; permutation importance describes its performance on samples. On samples that
// the fit has not seen, a noise feature that the trees used has an importance of about 0, or below. On samples of the
// fit importances are in-sample. Of two correlated features, each can replace the other, so both may look unimportant.
//
// The column of a feature is permuted over all samples, missing values included; the variates of the view are computed
// again and correlated with the unchanged variates of the other views. Every repeat uses the same permutation for all
// features of a view. Only features that trees test or linear maps use are permuted; all others have an importance of
// exactly 0. Only trees that test the feature are evaluated again: all features together cost about as much as one
// transform times n_permutations + 1 times the number of distinct features per tree.
//
// Deterministic: the same samples and seed give the same numbers for any number of threads. The model is only read.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/samples.hpp"

namespace treecca {

struct PermutationImportanceOptions {
  Index n_permutations = 5;                // 1 to 10,000
  std::vector<Covariate> covariates = {};  // of the samples; every covariate of the model
  std::uint64_t random_state = 0;
  Index n_jobs = -1;
  const std::atomic<bool>* stop = nullptr;  // the caller sets it to true to stop
};

/// M views, K components.
struct PermutationImportances {
  Matrix<double> correlations;        // M x K: of the variates of a view and of each other view, mean over the pairs
  std::vector<Matrix<double>> drops;  // per view K x p: mean over the permutations; negative values are due to
                                      // chance
  std::vector<Matrix<double>> deviations;  // per view K x p: standard deviation over the permutations
};

/// `views`: one per view of the model, in its order, with the same samples. Samples without variates in a view are left
/// out of its pairs. Failure: UsageError for a model of one view and an invalid number of permutations; DataError for a
/// wrong number of views, rows or columns, and for fewer than three samples; as transform for covariates; Interrupted.
PermutationImportances permutation_importances(const Model& model, const std::vector<MatrixView>& views,
                                               const PermutationImportanceOptions& options = {});

}  // namespace treecca
