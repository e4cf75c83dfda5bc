// Compares variates between views: covariances of component k between views i and j, and the correlations that follow.
//
// All tables are row-major M x M x K: the number for views i, j and component k is at (i * M + j) * K + k. Pure
// functions; thread-safe.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "treecca/pair_covariances.hpp"

namespace treecca {

/// a_ik' S_ij a_jk, where per_view[v] is d_v x K with columns a_vk and S is (sum of d_v) square: the covariances of the
/// variates that these matrices make from data with covariance S. A variance within rounding error becomes 0. A
/// negative variance, which an estimate from one fold may be, is kept, because only the sum over the folds is used. The
/// tables of several folds may be added up before they are converted to correlations.
std::vector<double> variate_covariances(const std::vector<Eigen::MatrixXd>& per_view,
                                        const Eigen::MatrixXd& covariance);

/// The variances of PairCovariances: block (i, j) of `within`, which has the size of the covariance, is the covariance
/// of view i over the samples that have view j.
std::vector<double> variate_variances(const std::vector<Eigen::MatrixXd>& per_view, const Eigen::MatrixXd& within);

/// Correlations in [-1, 1]; a variate without variance correlates 0 with everything.
std::vector<double> pair_correlations(const PairCovariances& given, int n_views);

/// Per component the mean over all pairs i < j: K numbers.
std::vector<double> mean_over_pairs(const std::vector<double>& pairwise, int n_views);

}  // namespace treecca
