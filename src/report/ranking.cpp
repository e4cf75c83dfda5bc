#include "report/ranking.hpp"

#include "support/order.hpp"

namespace treecca {

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

std::string gain_in_words(const Model& model) {
  const double linear = model.parameters.linear;
  return linear == 0 ? "the gain" : linear == 1 ? "linear CCA" : "the gain and of linear CCA";
}

}  // namespace treecca
