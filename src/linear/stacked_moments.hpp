// Means and covariances of the stacked views, per fold, computed in one pass over the rows. Linear CCA can then be
// fitted and judged on any set of folds without reading the rows again.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "linear/linear_views.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Sums over rows that can be added and subtracted. The columns are standardised over all rows, so their means in a
/// fold are small and centring afterwards loses no digits. S = D + E columns, E of them covariates.
///
/// If rows lack views, a block for two views uses the rows that have both, a block within a view the rows that have it.
/// The covariance of the stack may then not be positive semidefinite, but each of its blocks uses all rows that it can.
struct RawMoments {
  Eigen::MatrixXd count;    // 1 x 1, or M x M if rows lack views: rows that have both views
  Eigen::MatrixXd sum;      // S x 1, or S x M: sum of x over the rows that have view v
  Eigen::MatrixXd product;  // S x S: sum of x x'; a row that lacks a view has zeros there
  std::vector<Index> view;  // S, if rows lack views: the view of a column

  RawMoments operator-(const RawMoments& other) const;
  RawMoments& operator+=(const RawMoments& other);
  double rows() const { return count.minCoeff(); }  // the fewest that a block counts
  Eigen::MatrixXd scatter() const;                  // sum of (x - mean)(x - mean)'; zero without rows
  Eigen::MatrixXd covariance() const;               // scatter / (count - 1); zero for fewer than two rows
};

struct StackedMoments {
  std::vector<Index> offset;      // as in LinearViews
  Index covariate_columns = 0;    // as in LinearViews
  std::vector<RawMoments> folds;  // one for all rows if there are no folds; D dimensions, then the covariates
  RawMoments total;

  /// E x D: regression of every view's dimensions on its own covariates, on these rows; zero between other blocks.
  /// Empty without covariates.
  Eigen::MatrixXd covariate_effect(const RawMoments& rows) const;
  /// D x D: a covariance or scatter of the stack after subtracting `effect` times the covariates.
  Eigen::MatrixXd adjusted(const Eigen::MatrixXd& covariance, const Eigen::MatrixXd& effect) const;
};

/// Rows count by their weights; rows that are left out do not count. Does not depend on the number of threads.
/// Collective: the result describes the rows of all processes.
StackedMoments stacked_moments(const LinearViews& views, const Folds& folds, Threads threads);

}  // namespace treecca
