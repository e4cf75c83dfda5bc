// Rotations: per-view matrices that make components ordered, uncorrelated within a view and identifiable. There are two
// kinds: linear CCA, free in every view, and one rotation that is common to all views.
//
// Input is the covariance S of the stacked embeddings [Z_1 ... Z_M] (M*K x M*K), K columns per
// view. With W_v = V_v^(-1/2) (pseudo-inverse: directions of negligible variance are dropped), find
// orthogonal R_v that maximise sum_{i<j} tr(R_i' W_i S_ij W_j R_j): start from MCCA of the whitened
// blocks, then repeat R_i = polar factor of sum_{j != i} W_i S_ij W_j R_j until the sum stays
// the same; last, one common rotation P diagonalises the mean over pairs of R_i' W_i S_ij W_j R_j
// (symmetrised), descending. A_v = W_v R_v P. For M = 2 this is exactly K x K linear CCA.
//
// Signs: the largest-magnitude entry of each column of A_1 (of the first view whose column is not
// zero) is positive.
//
// Columns are brought to unit variance before the rank of a view is judged, so units do not matter.
// A view (or direction) without variance gives zero columns, never NaN: every variate has variance
// 1 or is zero. A view of lower rank has the components that it shares most with the others. Pure function;
// thread-safe.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace treecca {

struct Rotation {
  std::vector<Eigen::MatrixXd> per_view;  // M matrices K x K: variates = (Z_v - mean) * per_view[v]
  std::vector<double> correlations;       // K: mean over pairs of the correlation of component k on S itself
};

Rotation canonical_rotation(const Eigen::MatrixXd& covariance, int n_views);

/// The rotation for encoders trained so that component k agrees across views (its target is component k of the other
/// views), where only one common rotation is free. A_v = V_v^(-1/2) P, where P diagonalises the mean over pairs of the
/// symmetrised V_i^(-1/2) S_ij V_j^(-1/2), descending. At the solution these blocks are symmetric and positive, and
/// this is linear CCA. Away from it, linear CCA would also pair opposed directions and flip one of them, which makes a
/// negative correlation look positive: out-of-fold embeddings of noise have many such pairs. Zero columns, order and
/// signs as above. Units matter: the embeddings are not rescaled.
Rotation common_rotation(const Eigen::MatrixXd& covariance, int n_views);

/// The same for covariances that are estimated from few rows and may be indefinite: variances along a view's own axes
/// count at least a thousandth of its largest, so no direction is dropped or inflated. One K x K matrix per view;
/// components in descending order of correlation.
std::vector<Eigen::MatrixXd> floored_rotation(const Eigen::MatrixXd& covariance, int n_views);

}  // namespace treecca
