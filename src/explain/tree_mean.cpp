#include "explain/tree_mean.hpp"

#include <algorithm>
#include <cmath>

namespace treecca {

double left_fraction(const Tree& tree, const Node& split) {
  const double left = tree.nodes[static_cast<std::size_t>(split.left)].cover;
  const double right = tree.nodes[static_cast<std::size_t>(split.right)].cover;
  return left + right > 0 ? left / (left + right) : 0.5;
}

void add_mean_prediction(const Tree& tree, Index feature, double x, double share, Index width,
                         std::vector<double>& weights, double* out) {
  weights.assign(tree.nodes.size(), 0.0);
  weights[0] = share;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {  // children come after their parent
    const Node& node = tree.nodes[n];
    if (weights[n] == 0) continue;
    if (node.is_leaf()) {
      const float* value = tree.leaf_values.data() + node.leaf * width;
      for (Index k = 0; k < width; ++k) out[std::max(0, tree.component) + k] += weights[n] * value[k];
    } else if (node.feature == feature) {
      const bool left = node.level_set >= 0 ? tree.goes_left(node, static_cast<float>(x))
                        : std::isnan(x)     ? node.default_left
                                            : x < node.threshold;
      weights[left ? node.left : node.right] += weights[n];
    } else {
      const double to_left = left_fraction(tree, node);
      weights[node.left] += weights[n] * to_left;
      weights[node.right] += weights[n] * (1 - to_left);
    }
  }
}

}  // namespace treecca
