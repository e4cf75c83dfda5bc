// Adjustment for covariates: subtracts from an embedding its linear regression on columns of covariates.
//
// The regression for the rows of a fold is fitted to the other folds, so no row affects its own adjustment. Columns and
// embeddings are centred within folds, because every fold's encoder has its own offset. Without held-out folds, the
// regression is fitted to all rows. Rows count by their weights; rows that are in no fold neither count nor change.
// Pure functions of the arguments, in one process; results do not depend on threads.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "samples/folds.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

class Adjustment {
 public:
  /// covariates: N x d. Both must outlive the object. Rows that lack the view neither count nor change.
  Adjustment(const Matrix<double>& covariates, const Folds& folds, Index view = 0);

  /// z (N x W) minus its covariate effect.
  void apply(Matrix<float>& z) const;

  /// d x W coefficients: from all folds, and without each fold.
  Eigen::MatrixXd coefficients(const Matrix<float>& z) const;
  std::vector<Eigen::MatrixXd> coefficients_without_folds(const Matrix<float>& z) const;

 private:
  /// Per fold d x W: sum of weight x centred column x z.
  std::vector<Eigen::MatrixXd> products(const Matrix<float>& z) const;

  const Matrix<double>& covariates_;
  const Folds& folds_;
  const FoldRows& rows_;                          // only rows that have the view
  std::vector<std::vector<double>> mean_;         // per fold, d
  Eigen::MatrixXd inverse_;                       // d x d: inverse_of_part of the folds
  std::vector<Eigen::MatrixXd> inverse_without_;  // per fold: of the other folds
};

/// Inverse of the scatter `part` of some rows (d x d), in the directions where `part` has at least a fifth of the
/// scatter `total` of all rows; 0 in all other directions. So a regression on the part does not extrapolate: a
/// direction in which only one of the other rows is far out has no effect. The leverage of any row is at most five
/// times its leverage in a regression on all rows.
Eigen::MatrixXd inverse_of_part(const Eigen::MatrixXd& part, const Eigen::MatrixXd& total);

/// z (N x W) minus covariates (N x d) times coefficients (d x W), all rows.
void subtract_effect(const Matrix<double>& covariates, const Eigen::MatrixXd& coefficients, Matrix<float>& z);

}  // namespace treecca
