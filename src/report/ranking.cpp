#include "report/ranking.hpp"

#include <algorithm>

namespace treecca {

std::vector<FeatureShare> ranked_features(const Model& model, Index view, ImportanceKind kind,
                                          std::optional<Index> component) {
  std::vector<double> shares;
  if (component) {
    const Matrix<double> all = component_importances(model, view, kind);
    shares.assign(all.row(*component), all.row(*component) + all.cols());
  } else {
    shares = feature_importances(model, view, kind);
  }
  std::vector<FeatureShare> ranked;
  for (std::size_t j = 0; j < shares.size(); ++j) ranked.push_back({static_cast<Index>(j), shares[j]});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const FeatureShare& a, const FeatureShare& b) { return a.share > b.share; });
  return ranked;
}

}  // namespace treecca
