// The result of training one setting on one set of folds.
#pragma once

#include <vector>

#include "data/feature_sets.hpp"
#include "engines/engine.hpp"
#include "objective/adjustment.hpp"
#include "objective/correlations.hpp"
#include "objective/moments.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// The contents of a training's history.
enum class Curves {
  all,  // every round, all fields
  tcc   // every kRoundsPerMeasure rounds and after the last, the out-of-fold TCC alone: for one of many parts
};
inline constexpr Index kRoundsPerMeasure = 10;

/// M views with an encoder per fold; with one table M = 1, and the moments describe its two augmented copies. W trained
/// components, F folds, N rows.
struct Trained {
  Parameters parameters;                // without "auto"
  std::vector<Screening> screenings;    // per view
  FeatureSets features;                 // the features that encoders could use
  std::vector<LinearMap> base_margins;  // per view; empty maps if the initial values faded out
  std::vector<EncoderState> encoders;   // view-major, view * F + fold: trees, and every row's embedding
  std::vector<Adjustment> adjustments;  // per view; empty without covariates. They refer to data and folds.
  Moments moments;                      // of the out-of-fold embeddings, all views (or both copies) stacked
  History history;
  Index rounds = 0;                                 // kept
  Index leaf_sweeps = 0;                            // same
  std::vector<FoldCovariances> by_round;            // only after a choice (of a round, of sweeps): basis of the choice,
  std::vector<FoldCovariances> unrotated_by_round;  // and basis of the correlations if there is no rotation
  Matrix<float> copies;                             // one table: its last two augmented copies, 2N x p; else empty
  Moments copies_in_sample;                         // one table: as embedded by the mean of its encoders; else empty

  int moment_views() const { return copies.empty() ? static_cast<int>(base_margins.size()) : 2; }

  /// Correlations on rows that the trees have not seen. After a choice of the round, each fold uses the round chosen on
  /// the other folds. Needs cross-fitting. `rotate`: judge the components after a rotation, or without one.
  ComponentCorrelations out_of_fold_correlations(bool rotate) const;

  /// N x W out-of-fold embedding of a view, adjusted for covariates, centred within folds; zero for rows that are left
  /// out.
  Matrix<float> out_of_fold(Index view, const Folds& folds, Threads threads) const;

  /// d x W: the covariate effect on the out-of-fold embedding of a view, from all folds and without each fold.
  /// Needs covariates.
  Eigen::MatrixXd covariate_effect(Index view, const Folds& folds, Threads threads) const;
  std::vector<Eigen::MatrixXd> covariate_effect_without_folds(Index view, const Folds& folds, Threads threads) const;

  /// N x W mean of the view's encoders, not adjusted.
  Matrix<float> in_sample(Index view, Threads threads) const;

 private:
  Matrix<float> unadjusted_out_of_fold(Index view, const Folds& folds, Threads threads) const;
};

}  // namespace treecca
