// Computes the targets of a round's trees from the centred embeddings Z_vc (N x K) and their covariance.
//
// Whitened: Q_j = Z_jc V_j^(-1/2); the target of view v is T_v = mean_{j != v} Q_j, its gradient Z_v - T_v.
// Eckart-Young: G_v = -sum_{j != v} Z_jc + Z_vc B_v with B_v = (M-1) V_v + sum_{j != v} V_j, then
// scaled so that the largest of the views' standard deviations is 0.1. (The exact derivative of the loss is
// 4/(N-1) times the unscaled G_v.)
#pragma once

#include <Eigen/Core>
#include <vector>

#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

inline constexpr double kEyTargetDeviation = 0.1;

/// The mean of all matrices except one. All N x K; `out` must have that size. If rows lack views: the mean over the
/// other views that the row has, each centred on its mean over the fold's rows that have it and `view`; zero in rows
/// without a target. Collective.
void mean_of_others(const std::vector<Matrix<float>>& matrices, Index view, const Folds& folds, Matrix<float>& out,
                    Threads threads);

/// B_v of the Eckart-Young gradient from the views' covariances V_1 ... V_M (K x K).
Eigen::MatrixXd ey_penalty(const std::vector<Eigen::MatrixXd>& variances, Index view);

/// G_v for all rows: z (N x K, centred; any encoder of view v) times penalty, minus the sum of the other views' centred
/// embeddings.
Matrix<float> ey_gradient(const Matrix<float>& z, Index view, const std::vector<Matrix<float>>& centred,
                          const Eigen::MatrixXd& penalty, Threads threads);

/// The same if rows lack views: the gradient of the loss summed over the pairs of views, each over the rows that have
/// both. Row i has the sum over its other views j of z (V_v + V_j) - Z_jc.
Matrix<float> ey_gradient_of_pairs(const Matrix<float>& z, Index view, const std::vector<Matrix<float>>& centred,
                                   const std::vector<Eigen::MatrixXd>& variances, const Folds& folds, Threads threads);

/// Standard deviation over all entries of a matrix (N x K), without the rows that are left out or that the view cannot
/// learn from, which are zero. Collective.
double standard_deviation(const Matrix<float>& matrix, Index view, const Folds& folds, Threads threads);

}  // namespace treecca
