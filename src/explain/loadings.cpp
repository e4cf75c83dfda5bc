#include "treecca/loadings.hpp"

#include <algorithm>
#include <cmath>

#include "model/view_at.hpp"

namespace treecca {
namespace {

std::vector<double> mean_squares(const Matrix<double>& loadings) {
  std::vector<double> result(static_cast<std::size_t>(loadings.cols()), 0.0);
  for (Index j = 0; j < loadings.rows(); ++j) {
    for (Index c = 0; c < loadings.cols(); ++c) {
      result[static_cast<std::size_t>(c)] += loadings(j, c) * loadings(j, c) / static_cast<double>(loadings.rows());
    }
  }
  return result;
}

}  // namespace

Interval confidence_interval(double correlation, double standard_error, double quantile) {
  constexpr double kAlmostOne = 1 - 1e-12;  // atanh(1) is infinite
  const double r = std::clamp(correlation, -kAlmostOne, kAlmostOne);
  if (!(standard_error > 0)) return {correlation, correlation};
  const double reach = quantile * standard_error / (1 - r * r);
  return {std::tanh(std::atanh(r) - reach), std::tanh(std::atanh(r) + reach)};
}

Interval loading_interval(const ViewModel& view, const Matrix<double>& loadings, const Matrix<double>& errors,
                          Index feature, Index component) {
  Interval interval = confidence_interval(loadings(feature, component), errors(feature, component));
  if (view.is_category(feature)) interval.low = std::max(0.0, interval.low);
  return interval;
}

std::vector<double> explained_variance(const Model& model, Index view) {
  return mean_squares(view_at(model, view).loadings.own);
}

std::vector<double> redundancy(const Model& model, Index view) {
  return mean_squares(view_at(model, view).loadings.cross);
}

}  // namespace treecca
