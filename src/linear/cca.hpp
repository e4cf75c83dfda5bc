// Linear CCA (MCCA for more than two views) with the shrinkage chosen on folds: maps from features to variates, and the
// baseline that every fit reports.
//
// Of a few shrinkage values (directions.hpp) the value with the highest TCC is chosen, where each fold is predicted by
// a fit to the other folds. Statistics of a single view use all rows (linear_views.hpp); everything else uses the rows
// that are in a fold, with their weights. Results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/linear_views.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/linear_map.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

struct LinearFit {
  /// Per view p_v x K: the variates have unit variance on the rows fitted and are uncorrelated within a view and
  /// ordered. K may exceed the views' dimensions: components beyond a view's rank are zero.
  std::vector<LinearMap> maps;
  /// Per view d x K: the covariate effect to subtract from the variates. Empty without covariates.
  std::vector<Eigen::MatrixXd> covariate_effects;
  double shrinkage = 0;
};

/// Fitted to all rows that are in a fold. If no folds are held out, the shrinkage is 0 with at least four rows per
/// dimension, else 0.1. Collective.
LinearFit fit_linear_cca(const LinearViews& views, const Folds& folds, Index k, std::uint64_t seed, Threads threads);

/// One fit per fold, for out-of-fold variates: fitted to the other folds, with the shrinkage chosen on them. The folds
/// must be held out. Collective.
std::vector<LinearFit> fit_linear_cca_without_folds(const LinearViews& views, const Folds& folds, Index k,
                                                    std::uint64_t seed, Threads threads);

struct LinearBaseline {
  std::vector<double> out_of_fold;  // K, descending; empty without folds
  std::vector<double> in_sample;    // K
  double shrinkage = 0;             // the value chosen (0 if there are no folds and the problem is well posed)
};

/// The views have at least one column each. K may exceed the views' dimensions: the remaining correlations are 0.
/// views_of_fold: the views that may be used to predict a fold, or empty if all may be; if given, `views` are used for
/// the in-sample correlations only. covariates: as in LinearViews. Collective.
LinearBaseline linear_baseline(const std::vector<MatrixView>& views, const Folds& folds, Index k, std::uint64_t seed,
                               Threads threads, const std::vector<std::vector<MatrixView>>& views_of_fold = {},
                               const std::vector<const Matrix<double>*>& covariates = {});

}  // namespace treecca
