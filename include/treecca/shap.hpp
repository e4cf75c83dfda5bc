// SHAP values: the contribution of every feature to the variates of every sample.
//
// Path-dependent TreeSHAP (Lundberg et al.), exact, for the variates that transform returns: over all encoders of all
// parts, after the rotation, with base margin and linear CCA. For N rows of a view with p features and K components,
//     base_values[k] + sum over features j of values(i, j, k) = variate k of row i,
// up to rounding to single precision; with covariates, before their effect is subtracted (covariate_effect in
// transform.hpp). A feature that is absent from a coalition is averaged by cover, as in shape.hpp: at a split on it the
// row takes both branches, weighted by their training rows. A linear map gives feature j (x_j - mean_j) * weight; a
// missing value counts as the mean, so it gets 0 there. A row without any value lacks the view, unless the model has a
// single view: its SHAP values are NaN, as its variates are.
//
// All results are in double precision and row-major. They do not depend on the number of threads. The model is only
// read. Failure: UsageError for a view or component that the model does not have and for results of more than
// kMaxShapNumbers numbers (explain fewer rows at a time); DataError for a wrong number of columns; Interrupted after a
// request to stop. Cost per row: about the number of leaves times their depth times K; memory in addition to the
// result: at most 64 MB per thread.
#pragma once

#include <atomic>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// 4 GB.
inline constexpr Index kMaxShapNumbers = Index{1} << 29;

struct ShapValues {
  std::vector<double> values;       // N x p x K
  std::vector<double> base_values;  // K: the variates where all features are absent
};

/// SHAP values of rows of one view. Columns in the model's order, NaN where a value is missing.
/// `stop` (or null): the caller sets it to true to stop.
ShapValues shap_values(const Model& model, Index view, const MatrixView& values, Index n_jobs = -1,
                       const std::atomic<bool>* stop = nullptr);

/// SHAP interaction values of one component (counted from 0), N x p x p. Each p x p matrix is symmetric, and its rows
/// sum to the SHAP values: entry (a, b) is half of the joint contribution of a and b, the diagonal the contribution of
/// a feature alone. Linear maps are on the diagonal.
std::vector<double> shap_interactions(const Model& model, Index view, const MatrixView& values, Index component,
                                      Index n_jobs = -1, const std::atomic<bool>* stop = nullptr);

/// Two features of a view, the first with the lower number.
struct FeaturePair {
  Index first = 0, second = 0;
  double mean_abs = 0;  // mean over the samples that have the view of the absolute joint contribution
};

/// Interacting pairs of features in a component, strongest first: the sums of entries (a, b) and (b, a) above. Pairs
/// without interaction are left out. Memory is needed only for pairs of features that trees test.
std::vector<FeaturePair> interacting_pairs(const Model& model, Index view, const MatrixView& values, Index component,
                                           Index n_jobs = -1, const std::atomic<bool>* stop = nullptr);

}  // namespace treecca
