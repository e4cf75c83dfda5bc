// Means and covariances of the stacked embeddings [Z_1 ... Z_M], fold by fold.
//
// Every fold's encoder has an offset of its own. Were the offsets left in, the fold number itself would be a component
// that all views share; so scatter is always taken around the fold's mean.
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

  /// All folds pooled: sum of scatter / (N - folds). With one fold, the paper's covariance with N - 1.
  Eigen::MatrixXd covariance() const;
  /// All folds but one.
  Eigen::MatrixXd covariance_without(int fold) const;
};

/// `embeddings`: M matrices N x K. Rows count by their weights; rows that are left out do not count. Collective: over
/// the rows of all processes.
Moments moments_of(const std::vector<const Matrix<float>*>& embeddings, const Folds& folds, Threads threads);

/// z (N x K) -= mean of the row's fold (columns offset .. offset + K of the stacked means). Rows that are left out
/// become zero.
void centre_within_folds(Matrix<float>& z, const Moments& moments, Index offset, const Folds& folds, Threads threads);

/// Of two views whose order means nothing, because one encoder embeds both: the mean of both orders.
Moments symmetrised(Moments moments);

/// Eckart-Young loss summed over all pairs of views, from the pooled covariance (M*K x M*K):
/// sum_{i<j} -2 tr(S_ij + S_ji) + |V_i + V_j|_F^2.
double ey_loss(const Eigen::MatrixXd& covariance, Index n_views);

}  // namespace treecca
