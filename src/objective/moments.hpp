// Means and covariances of the stacked embeddings [Z_1 ... Z_M], fold by fold.
//
// Every fold's encoder has an offset of its own. Were the offsets left in, the fold number itself would be a component
// that all views share; so scatter is always taken around the fold's mean.
// Sums run over fixed blocks of rows in a fixed order: the result does not depend on the number of threads.
#pragma once

#include <Eigen/Core>
#include <span>
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

/// `embeddings`: M matrices N x K; `weights`: none, or N with mean 1. Over the rows of all processes (folds.shard).
Moments moments_of(const std::vector<const Matrix<float>*>& embeddings, const Folds& folds, Threads threads,
                   std::span<const float> weights = {});

/// Eckart-Young loss summed over all pairs of views, from the pooled covariance (M*K x M*K):
/// sum_{i<j} -2 tr(S_ij + S_ji) + |V_i + V_j|_F^2.
double ey_loss(const Eigen::MatrixXd& covariance, Index n_views);

}  // namespace treecca
