// Means and covariances of the stacked embeddings [Z_1 ... Z_M], fold by fold.
//
// Every fold's encoder has its own offset. With these offsets, the fold number itself would be a component that all
// views share. So scatter is always computed around the fold's mean. If rows lack views, every pair of views uses the
// rows that have both, around their mean in the fold. The mean of a view may differ between rows with and without the
// other view; without this centring, the pattern of missing views would be a component. Sums run over fixed blocks of
// rows in a fixed order: the result does not depend on the number of threads.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

struct Moments {
  std::vector<Eigen::VectorXd> mean;     // per fold, M*K
  std::vector<Eigen::MatrixXd> scatter;  // per fold, M*K x M*K: sum over its rows of (z - mean)(z - mean)'
  std::vector<double> count;             // per fold: number of rows, or sum of their weights
  // Only if rows lack views. Then `mean` uses the rows that have the view, and block (v, w) of `scatter` the rows that
  // have both.
  std::vector<Eigen::MatrixXd> within;      // per fold, as scatter: block (v, w) is view v by view v on these rows
  std::vector<Eigen::MatrixXd> pair_count;  // per fold, M x M: number of these rows, or sum of their weights

  bool complete() const { return pair_count.empty(); }
  /// All folds pooled: sum of scatter / (N - folds), every block with its own N. With one fold, the paper's covariance
  /// with N - 1.
  Eigen::MatrixXd covariance() const;
  /// All folds but one.
  Eigen::MatrixXd covariance_without(int fold) const;
};

/// `embeddings`: M matrices N x K, of views first_view .. first_view + M - 1. Rows count by their weights; rows that
/// are left out do not count, and their values for a view that they lack are never read. Collective: over the rows of
/// all processes.
Moments moments_of(const std::vector<const Matrix<float>*>& embeddings, const Folds& folds, Threads threads,
                   Index first_view = 0);

/// Subtracts the fold's mean from z (N x K), the embedding of a view (columns offset .. offset + K of the stacked
/// means). Rows that are left out, or lack the view, become zero.
void centre_within_folds(Matrix<float>& z, const Moments& moments, Index view, Index offset, const Folds& folds,
                         Threads threads);

/// Divides block (v, w) of `sums` (M*K x M*K) by max(1, degrees(v, w)).
Eigen::MatrixXd blocks_divided(Eigen::MatrixXd sums, const Eigen::MatrixXd& degrees);

/// For two exchangeable copies of one table, embedded by one encoder: the mean over both orders.
Moments symmetrised(Moments moments);

/// Eckart-Young loss summed over all pairs of views, from the pooled covariance (M*K x M*K):
/// sum_{i<j} -2 tr(S_ij + S_ji) + |V_i + V_j|_F^2.
double ey_loss(const Eigen::MatrixXd& covariance, Index n_views);

}  // namespace treecca
