// Means and covariances of the stacked embeddings [Z_1 ... Z_M], fold by fold.
//
// Every fold's encoder has an offset of its own. Were the offsets left in, the fold number itself would be a component
// that all views share; so scatter is always taken around the fold's mean.
// Where rows lack views, every pair of views counts the rows that have both, around their mean in the fold: the mean of
// the rows that one view has may depend on which rows these are, and then which rows lack a view would be a component.
// Sums run over fixed blocks of rows in a fixed order: the result does not depend on the number of threads.
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
  std::vector<double> count;             // per fold: rows, or their weight
  // Only where rows lack views. Then `mean` is that of the rows that have the view, and block (v, w) of `scatter` that
  // of the rows that have both.
  std::vector<Eigen::MatrixXd> within;      // per fold, as scatter: block (v, w) is view v by view v in these rows
  std::vector<Eigen::MatrixXd> pair_count;  // per fold, M x M: these rows, or their weight

  bool complete() const { return pair_count.empty(); }
  /// All folds pooled: sum of scatter / (N - folds), every block with its own N. With one fold, the paper's covariance
  /// with N - 1.
  Eigen::MatrixXd covariance() const;
  /// All folds but one.
  Eigen::MatrixXd covariance_without(int fold) const;
};

/// `embeddings`: M matrices N x K, of views first_view .. first_view + M - 1. Rows count by their weights; rows that
/// are left out do not count, and what they hold for a view that they lack is never looked at. Collective: over the
/// rows of all processes.
Moments moments_of(const std::vector<const Matrix<float>*>& embeddings, const Folds& folds, Threads threads,
                   Index first_view = 0);

/// z (N x K), of a view, -= mean of the row's fold (columns offset .. offset + K of the stacked means). Rows that are
/// left out, or lack the view, become zero.
void centre_within_folds(Matrix<float>& z, const Moments& moments, Index view, Index offset, const Folds& folds,
                         Threads threads);

/// Sums (M*K x M*K) with block (v, w) divided by degrees(v, w), which counts at least 1.
Eigen::MatrixXd blocks_divided(Eigen::MatrixXd sums, const Eigen::MatrixXd& degrees);

/// Of two views whose order means nothing, because one encoder embeds both: the mean of both orders.
Moments symmetrised(Moments moments);

/// Eckart-Young loss summed over all pairs of views, from the pooled covariance (M*K x M*K):
/// sum_{i<j} -2 tr(S_ij + S_ji) + |V_i + V_j|_F^2.
double ey_loss(const Eigen::MatrixXd& covariance, Index n_views);

}  // namespace treecca
