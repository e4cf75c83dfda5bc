#include "report/ranking.hpp"

#include <cmath>
#include <limits>

#include "support/order.hpp"

namespace treecca {
namespace {

/// Correlation of a feature with its SHAP values, over the rows that have a value.
double correlation_with_shap(const MatrixView& values, Index feature, const double* shap, Index stride) {
  double n = 0, mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    const double x = values.value(i, feature);
    if (std::isnan(x)) continue;
    const double y = shap[i * stride];
    n += 1;
    const double dx = x - mean_x;
    const double dy = y - mean_y;
    mean_x += dx / n;
    mean_y += dy / n;
    xx += dx * (x - mean_x);
    yy += dy * (y - mean_y);
    xy += dx * (y - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<FeatureShare> ranked(std::span<const double> shares) {
  const auto order =
      descending_order(static_cast<Index>(shares.size()), [&](Index j) { return shares[static_cast<std::size_t>(j)]; });
  std::vector<FeatureShare> result;
  for (const Index j : order) result.push_back({j, shares[static_cast<std::size_t>(j)]});
  return result;
}

std::vector<FeatureShare> ranked_features(const Model& model, Index view, ImportanceKind kind,
                                          std::optional<Index> component) {
  if (!component) return ranked(feature_importances(model, view, kind));
  const Matrix<double> all = component_importances(model, view, kind);
  return ranked({all.row(*component), static_cast<std::size_t>(all.cols())});
}

Index explained_rows(const MatrixView& values, const ShapValues& shap) {
  const Index per_row = values.cols() * static_cast<Index>(shap.base_values.size());
  Index explained = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    explained += std::isnan(shap.values[static_cast<std::size_t>(i * per_row)]) ? 0 : 1;
  }
  return explained;
}

std::vector<FeatureContribution> ranked_contributions(const MatrixView& values, const ShapValues& shap,
                                                      Index component) {
  const auto k = static_cast<Index>(shap.base_values.size());
  const Index per_row = values.cols() * k;
  std::vector<double> means(static_cast<std::size_t>(values.cols()), 0.0);
  const Index explained = explained_rows(values, shap);
  for (Index i = 0; i < values.rows(); ++i) {
    const double* row = shap.values.data() + i * per_row + component;
    if (std::isnan(*row)) continue;
    for (Index j = 0; j < values.cols(); ++j) means[static_cast<std::size_t>(j)] += std::abs(row[j * k]);
  }
  std::vector<FeatureContribution> result;
  for (const FeatureShare& entry : ranked(means)) {
    if (entry.share == 0) break;
    result.push_back(
        {entry.feature, entry.share / static_cast<double>(explained),
         correlation_with_shap(values, entry.feature, shap.values.data() + entry.feature * k + component, per_row)});
  }
  return result;
}

std::string gain_in_words(const Model& model) {
  const double linear = model.parameters.linear;
  return linear == 0 ? "the gain" : linear == 1 ? "linear CCA" : "the gain and of linear CCA";
}

}  // namespace treecca
