#include "model/check_tree.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "model/refuse.hpp"

namespace treecca {
namespace {

/// Number of levels of a feature; 0 for a number.
std::size_t levels_of(const TreeRules& rules, std::int32_t feature) {
  if (rules.levels == nullptr || rules.levels->empty()) return 0;
  return (*rules.levels)[static_cast<std::size_t>(feature)].size();
}

}  // namespace

void check_tree(const Tree& tree, const TreeRules& rules, TreeScratch& scratch,
                const std::function<std::string()>& path) {
  const auto fail = [&](std::size_t node, std::string_view reason) {
    refuse(path(), fmt::format("node {} {}", node, reason));
  };
  if (rules.joint ? tree.component != -1 : tree.component < 0 || tree.component >= rules.n_components) {
    refuse(path(), fmt::format("belongs to component {}, which does not fit {} trees and {} components", tree.component,
                               rules.joint ? "joint" : "scalar", rules.n_components));
  }
  const std::size_t size = tree.nodes.size();
  if (size == 0) refuse(path(), "has no nodes");
  if (size > static_cast<std::size_t>(INT32_MAX)) refuse(path(), "has too many nodes");
  scratch.depth.assign(size, -1);
  scratch.depth[0] = 0;
  scratch.leaf_seen.assign(size / 2 + 1, 0);  // a binary tree of n nodes has (n + 1) / 2 leaves
  std::size_t n_leaves = 0;
  std::size_t n_sets = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Node& node = tree.nodes[i];
    if (scratch.depth[i] < 0) fail(i, "has no parent");
    if (!std::isfinite(node.cover) || node.cover < 0) fail(i, "has a cover that is negative or not finite");
    if (node.is_leaf()) {
      ++n_leaves;
      if (node.feature != -1 || node.left != -1 || node.right != -1 || node.threshold != 0 ||
          std::signbit(node.threshold) || !node.default_left || node.level_set != -1) {
        fail(i, "is a leaf but has fields of a split");
      }
      const auto leaf = static_cast<std::size_t>(node.leaf);
      if (node.leaf < 0 || leaf >= scratch.leaf_seen.size() || scratch.leaf_seen[leaf] != 0) {
        fail(i, fmt::format("has leaf {}, which is out of range or used twice", node.leaf));
      }
      scratch.leaf_seen[leaf] = 1;
      continue;
    }
    if (node.leaf != -1) fail(i, "is a split but has a leaf");
    if (node.feature >= rules.n_features) {
      fail(i, fmt::format("tests feature {}, but the view has {} features", node.feature, rules.n_features));
    }
    if (!std::isfinite(node.threshold)) fail(i, "has a threshold that is not finite");
    const std::size_t levels = levels_of(rules, node.feature);
    if (levels == 0 && node.level_set != -1) fail(i, "has levels, but its feature is a number");
    if (levels > 0) {
      if (node.threshold != 0 || std::signbit(node.threshold))
        fail(i, "has a threshold, but its feature is a category");
      if (node.level_set != static_cast<std::int32_t>(n_sets) || n_sets >= tree.level_sets.size()) {
        fail(i, "lacks its own level set, or the sets are not in the order of the nodes");
      }
      for (std::size_t level = levels; level < 256; ++level) {
        if (tree.level_sets[n_sets].contains(level))
          fail(i, fmt::format("sends level {} left, which does not exist", level));
      }
      ++n_sets;
    }
    if (scratch.depth[i] >= rules.max_depth) fail(i, fmt::format("splits below max_depth {}", rules.max_depth));
    for (const std::int32_t child : {node.left, node.right}) {
      const auto at = static_cast<std::size_t>(child);
      if (child < 0 || at <= i || at >= size) {
        fail(i, fmt::format("has child {}, but children must come after their parent and within the tree", child));
      }
      if (scratch.depth[at] >= 0) fail(at, "has two parents");
      scratch.depth[at] = scratch.depth[i] + 1;
    }
  }
  if (n_sets != tree.level_sets.size()) {
    refuse(path(), fmt::format("has {} level sets, but must have {}", tree.level_sets.size(), n_sets));
  }
  const std::size_t width = rules.joint ? static_cast<std::size_t>(rules.n_components) : 1;
  if (tree.leaf_values.size() != n_leaves * width) {
    refuse(path(), fmt::format("has {} leaf values, but must have {}", tree.leaf_values.size(), n_leaves * width));
  }
  check_finite(path(), tree.leaf_values);
}

}  // namespace treecca
