#include "explain/used_features.hpp"

namespace treecca {

TestedFeatures::TestedFeatures(const ViewModel& view) : places(view.feature_names.size(), kUnused) {
  for (const PartModel& part : view.parts) {
    for (const Encoder& encoder : part.encoders) {
      for (const Tree& tree : encoder) {
        n_nodes += static_cast<Index>(tree.nodes.size());
        for (const Node& node : tree.nodes) {
          if (!node.is_leaf()) places[static_cast<std::size_t>(node.feature)] = 0;
        }
      }
    }
  }
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (places[j] == kUnused) continue;
    places[j] = static_cast<std::int32_t>(features.size());
    features.push_back(static_cast<Index>(j));
  }
}

std::vector<LinearMap> linear_parts(const ViewModel& view, Index n_components) {
  std::vector<LinearMap> maps;
  if (!view.linear.empty()) maps.push_back(view.linear);
  if (view.base_margin.empty()) return maps;
  const Matrix<double>& weights = view.base_margin.weights;
  LinearMap margin{view.base_margin.mean, Matrix<double>(weights.rows(), n_components), view.base_margin.level_begin};
  for (const PartModel& part : view.parts) {
    for (Index j = 0; j < weights.rows(); ++j) {
      for (Index l = 0; l < weights.cols(); ++l) {
        for (Index k = 0; k < n_components; ++k) margin.weights(j, k) += weights(j, l) * part.rotation(l, k);
      }
    }
  }
  maps.push_back(std::move(margin));
  return maps;
}

}  // namespace treecca
