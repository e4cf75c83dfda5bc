// Permutation importance: how far the correlation of a component falls when the values of one feature are permuted.
//
// Other than gain and SHAP values it is about samples, not about the model: on samples that the fit has not seen, a
// feature that was fitted to noise has an importance of about 0, or below. On samples of the fit it is in-sample.
// Correlated features stand in for each other: each of two copies may look unimportant.
//
// For a feature of a view, its column is permuted over all samples, missing values included; the variates of the view
// are computed again and correlated with the unchanged variates of the other views. Every repeat uses the same
// permutation for all features of a view. Only features that the trees test or linear maps weigh are permuted; the
// others have exactly 0. Only trees that test the feature are evaluated again: all features together cost about
// n_permutations + 1 times the number of distinct features per tree as much as one transform.
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
  std::vector<Covariate> covariates = {};  // of the samples; all that the model has
  std::uint64_t random_state = 0;
  Index n_jobs = -1;
  const std::atomic<bool>* stop = nullptr;  // becomes true when the caller wants no result any more
};

/// M views, K components.
struct PermutationImportances {
  Matrix<double> correlations;             // M x K: of a view's variate with those of the others, mean over the pairs
  std::vector<Matrix<double>> drops;       // per view K x p: mean over the permutations; negative where chance helped
  std::vector<Matrix<double>> deviations;  // per view K x p: standard deviation over the permutations
};

/// `views`: one per view of the model, in its order, with the same samples. Samples whose variates are missing in a
/// view are left out of its pairs. Failure: UsageError for a model of one view and another number of permutations;
/// DataError for another number of views, rows or columns, and for fewer than three samples; as transform for
/// covariates; Interrupted.
PermutationImportances permutation_importances(const Model& model, const std::vector<MatrixView>& views,
                                               const PermutationImportanceOptions& options = {});

}  // namespace treecca
