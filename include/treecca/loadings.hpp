// Variance explained and redundancy, from the loadings of a model (Loadings in model.hpp).
//
// Variance explained: mean squared loading over a view's features, i.e. the fraction of the view's variance (features
// scaled to unit variance) that a component's variate explains linearly. Redundancy: the same for cross-loadings, i.e.
// the fraction that the other views' variate explains.
// A loading is a linear correlation: if a variate depends on the square of a feature, the loading is near 0.
#pragma once

#include <vector>

#include "treecca/model.hpp"

namespace treecca {

struct Interval {
  double low = 0, high = 0;
};

/// 95% confidence interval of a correlation with this standard error, by Fisher's transformation. For a standard error
/// of 0 both ends are the correlation. `quantile`: half-width in standard errors.
Interval confidence_interval(double correlation, double standard_error, double quantile = 1.959964);

/// 95% confidence interval of a loading or cross-loading, with their standard errors (p_v x K each, of model.hpp's
/// Loadings). The loading of a category is a correlation ratio, which has no sign: its interval begins at 0 or above.
Interval loading_interval(const ViewModel& view, const Matrix<double>& loadings, const Matrix<double>& errors,
                          Index feature, Index component);

/// K numbers from 0 to 1; a constant feature counts 0. Empty if the model has no loadings (files of earlier releases).
/// Failure: UsageError for a view that the model does not have.
std::vector<double> explained_variance(const Model& model, Index view);

/// The same for cross-loadings. Also empty for a single view and without cross-fitting.
std::vector<double> redundancy(const Model& model, Index view);

}  // namespace treecca
