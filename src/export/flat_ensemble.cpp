#include "export/flat_ensemble.hpp"

namespace treecca {
namespace {

/// The leaves of a tree (one component, or all W) as K outputs each.
Tree rotated_leaves(const Tree& tree, const Matrix<double>& rotation, double share) {
  const Index k = rotation.cols();
  const Index width = tree.component >= 0 ? 1 : rotation.rows();
  const Index first = std::max<Index>(tree.component, 0);
  const Index leaves = static_cast<Index>(tree.leaf_values.size()) / width;
  Tree result{-1, tree.nodes, std::vector<float>(static_cast<std::size_t>(leaves * k)), tree.level_sets};
  for (Index leaf = 0; leaf < leaves; ++leaf) {
    for (Index c = 0; c < k; ++c) {
      double sum = 0;
      for (Index l = 0; l < width; ++l) {
        sum +=
            static_cast<double>(tree.leaf_values[static_cast<std::size_t>(leaf * width + l)]) * rotation(first + l, c);
      }
      result.leaf_values[static_cast<std::size_t>(leaf * k + c)] = static_cast<float>(share * sum);
    }
  }
  return result;
}

LinearMap rotated_map(const LinearMap& margin, const Matrix<double>& rotation) {
  if (margin.empty()) return {};
  BaseMargin result{margin.mean, Matrix<double>(margin.weights.rows(), rotation.cols())};
  for (Index j = 0; j < margin.weights.rows(); ++j) {
    for (Index c = 0; c < rotation.cols(); ++c) {
      double sum = 0;
      for (Index l = 0; l < rotation.rows(); ++l) sum += margin.weights(j, l) * rotation(l, c);
      result.weights(j, c) = sum;
    }
  }
  return result;
}

/// sum += map; both have the same means.
void add_map(LinearMap& sum, const LinearMap& map) {
  if (sum.empty()) {
    sum = map;
    return;
  }
  for (std::size_t i = 0; i < sum.weights.values().size(); ++i) sum.weights.values()[i] += map.weights.values()[i];
}

}  // namespace

FlatEnsemble flat_ensemble(const ViewModel& view, Index n_components) {
  const Index k = n_components;
  FlatEnsemble result;
  result.feature_names = view.feature_names;
  result.levels = view.levels;
  result.n_outputs = k;
  result.intercept.assign(static_cast<std::size_t>(k), 0.0);
  LinearMap base_margin;
  for (const PartModel& part : view.parts) {
    for (Index c = 0; c < k; ++c) {
      for (Index l = 0; l < part.rotation.rows(); ++l) {
        result.intercept[static_cast<std::size_t>(c)] -= part.mean[static_cast<std::size_t>(l)] * part.rotation(l, c);
      }
    }
    if (!view.base_margin.empty()) add_map(base_margin, rotated_map(view.base_margin, part.rotation));
    const double share = 1.0 / static_cast<double>(part.encoders.size());
    for (const Encoder& encoder : part.encoders) {
      for (const Tree& tree : encoder) result.trees.push_back(rotated_leaves(tree, part.rotation, share));
    }
  }
  for (const LinearMap& map : {base_margin, view.linear}) {
    if (!map.empty()) result.maps.push_back(map);
  }
  if (result.trees.empty()) {  // a single leaf with the same value: readers require a tree
    Node leaf;
    leaf.leaf = 0;
    result.trees.push_back({-1, {leaf}, std::vector<float>(static_cast<std::size_t>(k), 0.0F)});
  }
  return result;
}

Matrix<float> node_values(const Tree& tree, Index n_outputs) {
  const auto n = static_cast<Index>(tree.nodes.size());
  Matrix<float> values(n, n_outputs);
  for (Index i = n - 1; i >= 0; --i) {  // children come after their parents
    const Node& node = tree.nodes[static_cast<std::size_t>(i)];
    if (node.is_leaf()) {
      for (Index c = 0; c < n_outputs; ++c) {
        values(i, c) = tree.leaf_values[static_cast<std::size_t>(node.leaf * n_outputs + c)];
      }
      continue;
    }
    const double left = tree.nodes[static_cast<std::size_t>(node.left)].cover;
    const double right = tree.nodes[static_cast<std::size_t>(node.right)].cover;
    const double share = left + right > 0 ? left / (left + right) : 0.5;
    for (Index c = 0; c < n_outputs; ++c) {
      values(i, c) = static_cast<float>(share * values(node.left, c) + (1 - share) * values(node.right, c));
    }
  }
  return values;
}

}  // namespace treecca
