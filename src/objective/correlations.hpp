// Canonical correlations from per-fold moments.
//
// Out-of-fold: fold f is rotated by the rotation estimated on the other folds, and the moments of all folds are then
// pooled. A choice (round, shrinkage) for fold f is made on the other folds too.
// Pure functions; cost is independent of N.
#pragma once

#include <vector>

#include "objective/moments.hpp"
#include "treecca/pair_covariances.hpp"

namespace treecca {

struct ComponentCorrelations {
  std::vector<double> pairwise;       // M x M x K, signed
  std::vector<double> per_component;  // K: mean over pairs
  double tcc() const;                 // total_correlation of these
  /// Components permuted: component k of the result is component order[k].
  ComponentCorrelations in_order(const std::vector<Index>& order) const;
};

/// Per fold, the covariances of its variates.
using FoldCovariances = std::vector<PairCovariances>;

/// One matrix per view: the first `keep` columns (0: all) of the common rotation, or of the identity without `rotate`.
std::vector<Eigen::MatrixXd> leading_rotation(const Eigen::MatrixXd& covariance, int n_views, bool rotate, Index keep);

/// Per fold and view, the matrix that rotates the fold's embeddings: the common rotation of the other folds' moments.
/// Its signs and number of columns follow `like` (one matrix per view), so that folds can be plotted together.
std::vector<std::vector<Eigen::MatrixXd>> fold_rotations(const Moments& moments, int n_views,
                                                         const std::vector<Eigen::MatrixXd>& like);

/// rotate = false judges the components without rotation; keep > 0: only the first `keep` of each rotation.
FoldCovariances out_of_fold_covariances(const Moments& moments, int n_views, bool rotate = true, Index keep = 0);

/// Flips the sign, in all views together, of components that are opposed to the components of `like`.
void follow_signs(std::vector<Eigen::MatrixXd>& per_view, const std::vector<Eigen::MatrixXd>& like);

/// The sum over the folds.
PairCovariances summed(const FoldCovariances& folds);

ComponentCorrelations correlations_from(const PairCovariances& covariances, int n_views);
ComponentCorrelations pooled_correlations(const FoldCovariances& folds, int n_views);

/// The candidate with the highest TCC (of equals, the first) on all folds, or on all folds except `without`.
std::size_t best_candidate(const std::vector<FoldCovariances>& candidates, int n_views, int without = -1);

/// Per fold, the candidate chosen on the other folds.
std::vector<std::size_t> chosen_by_other_folds(const std::vector<FoldCovariances>& candidates, int n_views);

/// The correlations after a choice among candidates: every fold contributes the candidate with the highest TCC on the
/// other folds. `judged` (default: the candidates themselves) is then pooled.
ComponentCorrelations correlations_of_choice(const std::vector<FoldCovariances>& candidates, int n_views,
                                             const std::vector<FoldCovariances>* judged = nullptr);

ComponentCorrelations out_of_fold_correlations(const Moments& moments, int n_views, bool rotate = true, Index keep = 0);

/// Rotation (if any) and evaluation on the same pooled moments.
ComponentCorrelations in_sample_correlations(const Moments& moments, int n_views, bool rotate = true, Index keep = 0);

}  // namespace treecca
