// Views in the form that linear CCA uses: standardised, missing values at the mean, stacked, and reduced to principal
// axes if they are too wide.
// The result is a function of each view alone, from all rows, and never depends on the pairing of rows. So one object
// serves every split of the same samples. Immutable: threads may share it.
// A view with at most min(400, N / 3) columns is not reduced. Wider views with at most N / 3 columns are not reduced
// either, narrowest first, while the stack has at most 3,072 dimensions: principal axes would lose a signal in few of
// many columns. Any other view is reduced to its leading min(400, N / 3) principal components. The limits bound memory
// (a square matrix of the stack's dimension per fold: 75 MB) and time (N times the dimension squared).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linalg/tall_matrix.hpp"
#include "linear/standardise.hpp"
#include "samples/row_index.hpp"
#include "samples/samples.hpp"
#include "support/threads.hpp"
#include "treecca/linear_map.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

inline constexpr Index kMaxLinearDimensions = 400;  // of a view reduced to principal axes
inline constexpr Index kMaxWholeStack = 3072;       // dimensions of a stack with wider views

/// Number of dimensions that each view keeps by this rule, from the numbers of columns.
std::vector<Index> kept_dimensions(const std::vector<Index>& columns, Index rows);

class LinearViews {
 public:
  /// Every view has at least one column. The memory behind the views and the samples must outlive the object.
  /// Collective. Does not depend on `threads`.
  /// covariates: N x d per view, whose effect linear CCA removes; or empty.
  LinearViews(std::vector<MatrixView> views, const Samples& samples, std::uint64_t seed, Threads threads,
              std::vector<const Matrix<double>*> covariates = {});

  /// The same for views whose rows have been reordered (data/row_orders.hpp), with the scales and axes of `original`.
  LinearViews(const LinearViews& original, std::vector<MatrixView> views, const std::vector<std::vector<Index>>& orders,
              std::vector<const Matrix<double>*> covariates = {});

  int count() const { return static_cast<int>(views_.size()); }
  /// count() + 1: first dimension of each view in the stack, and the number of dimensions. A view has at least one.
  const std::vector<Index>& offset() const { return offset_; }
  Index dimensions() const { return offset_.back(); }
  /// d, the number of covariate columns of each view. In the stack they follow the dimensions of all views, view after
  /// view.
  Index covariate_columns() const { return covariates_.empty() ? 0 : covariates_[0]->cols(); }
  const Samples& samples() const { return *samples_; }

  /// The given rows of the stack, with the covariates; zeros if a row lacks the view. The object and `rows` must
  /// outlive the source.
  TallMatrix stacked(std::span<const RowIndex> rows) const;

  /// A map of the features of view v to K numbers, from a map (d x K) of its dimensions in the stack.
  LinearMap map_of_features(int v, const Eigen::MatrixXd& of_dimensions) const;

 private:
  struct Reduced {
    ColumnScaling scaling;
    Eigen::MatrixXd axes;  // p x d; empty: the scaled columns are the dimensions
  };
  void project(std::span<const RowIndex> rows, Eigen::Ref<RowMatrix> stack) const;

  std::vector<MatrixView> views_;
  const Samples* samples_;
  std::shared_ptr<const std::vector<Reduced>> reduced_;
  std::vector<Index> offset_;
  std::vector<const Matrix<double>*> covariates_;
  RowMatrix cache_;  // N x D if that is small: several splits then project the rows once
};

}  // namespace treecca
