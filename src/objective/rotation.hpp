// Canonical rotation: per-view matrices that make components ordered, uncorrelated within a view
// and identifiable.
//
// Input is the covariance S of the stacked embeddings [Z_1 ... Z_M] (M*K x M*K), K columns per
// view. With W_v = V_v^(-1/2) (pseudo-inverse: directions of negligible variance are dropped), find
// orthogonal R_v that maximise sum_{i<j} tr(R_i' W_i S_ij W_j R_j): start from MCCA of the whitened
// blocks, then repeat R_i = polar factor of sum_{j != i} W_i S_ij W_j R_j until the sum stands
// still; last, one common rotation P diagonalises the mean over pairs of R_i' W_i S_ij W_j R_j
// (symmetrised), descending. A_v = W_v R_v P. For M = 2 this is exactly K x K linear CCA.
//
// Signs: the largest-magnitude entry of each column of A_1 (of the first view whose column is not
// zero) is positive.
//
// Columns are brought to unit variance before the rank of a view is judged, so units do not matter.
// A view (or direction) without variance gives zero columns, never NaN: every variate has variance
// 1 or is zero. A view of lower rank serves the components it shares most with the others.
// Pure function; thread-safe.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace treecca {

struct Rotation {
  std::vector<Eigen::MatrixXd> per_view;  // M matrices K x K: variates = (Z_v - mean) * per_view[v]
  std::vector<double>
      correlations;  // K: mean over pairs of the correlation of component k on S itself
};

Rotation canonical_rotation(const Eigen::MatrixXd& covariance, int n_views);

/// V^(-1/2), symmetric; eigenvalues below `tolerance` times the largest count as absent
/// (pseudo-inverse).
Eigen::MatrixXd inverse_square_root(const Eigen::MatrixXd& covariance, double tolerance = 1e-10);

/// Per component the mean over pairs of |correlation| between a_ik and a_jk under covariance S (M*K
/// x M*K): what the matrices achieve on moments they were not fitted to. `pairwise`, when not null,
/// receives M x M x K of them.
std::vector<double> correlations_under(const std::vector<Eigen::MatrixXd>& per_view,
                                       const Eigen::MatrixXd& covariance,
                                       std::vector<double>* pairwise = nullptr);

}  // namespace treecca
