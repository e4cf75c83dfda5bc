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

TreesByFeature::TreesByFeature(const ViewModel& view) : view_(view), tested_(view), trees_(tested_.features.size()) {
  for (std::size_t p = 0; p < view.parts.size(); ++p) {
    for (std::size_t e = 0; e < view.parts[p].encoders.size(); ++e) {
      const Encoder& encoder = view.parts[p].encoders[e];
      for (std::size_t t = 0; t < encoder.size(); ++t) {
        const TreePlace at{p, e, t};
        for (const Node& node : encoder[t].nodes) {
          if (node.is_leaf()) continue;
          const std::int32_t place = tested_.places[static_cast<std::size_t>(node.feature)];
          std::vector<TreePlace>& known = trees_[static_cast<std::size_t>(place)];
          if (known.empty() || known.back() != at) known.push_back(at);
        }
      }
    }
  }
}

std::vector<Encoder> TreesByFeature::encoders_with(std::size_t place, std::size_t part) const {
  std::vector<Encoder> encoders(view_.parts[part].encoders.size());
  for (const TreePlace& at : trees_[place]) {
    if (at.part != part) continue;
    Tree tree = view_.parts[part].encoders[at.encoder][at.tree];
    for (Node& node : tree.nodes) {
      if (!node.is_leaf()) node.feature = tested_.places[static_cast<std::size_t>(node.feature)];
    }
    encoders[at.encoder].push_back(std::move(tree));
  }
  return encoders;
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
