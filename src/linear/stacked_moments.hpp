// Means and covariances of all views side by side, per fold: one pass over the rows, after which
// linear CCA can be fitted and judged on any set of folds without looking at the rows again.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "linear/linear_views.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Sums over rows that can be added and subtracted. The columns are standardised over all rows, so
/// their means in a fold are small and centring afterwards loses no digits. S = D + E columns, E of them covariates.
///
/// Where rows lack views, a block of two views counts the rows that have both, a block within a view those that have
/// it: the covariance of the stack then need not be that of any data, but each of its blocks is as good as it can be.
struct RawMoments {
  Eigen::MatrixXd count;    // 1 x 1, or M x M where rows lack views: rows that both have
  Eigen::MatrixXd sum;      // S x 1, or S x M: sum of x over the rows that have view v
  Eigen::MatrixXd product;  // S x S: sum of x x'; a row that lacks a view has zeros there
  std::vector<Index> view;  // S, where rows lack views: the view of a column

  RawMoments operator-(const RawMoments& other) const;
  RawMoments& operator+=(const RawMoments& other);
  double rows() const { return count.minCoeff(); }  // the fewest that a block counts
  Eigen::MatrixXd scatter() const;                  // sum of (x - mean)(x - mean)'; zero without rows
  Eigen::MatrixXd covariance() const;               // scatter / (count - 1); zero for fewer than two rows
};

struct StackedMoments {
  std::vector<Index> offset;      // as in LinearViews
  Index covariate_columns = 0;    // as in LinearViews
  std::vector<RawMoments> folds;  // one for all rows when there are no folds; D dimensions, then the covariates
  RawMoments total;

  /// E x D: regression of every view's dimensions on its own covariates, in these rows; zero between others. Empty
  /// without covariates.
  Eigen::MatrixXd covariate_effect(const RawMoments& rows) const;
  /// D x D: what a covariance or scatter of the stack becomes when `effect` times the covariates is subtracted.
  Eigen::MatrixXd adjusted(const Eigen::MatrixXd& covariance, const Eigen::MatrixXd& effect) const;
};

/// Rows count by their weights; rows that are left out do not count. Does not depend on the number of threads.
/// Collective: the result describes the rows of all processes.
StackedMoments stacked_moments(const LinearViews& views, const Folds& folds, Threads threads);

}  // namespace treecca
