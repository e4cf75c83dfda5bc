// One decision tree, from any engine.
//
// A row goes left at a node if its value is below the threshold (x < threshold), else right; a missing value (NaN) goes
// where `default_left` says. At a split on a category, the levels in a set go left and all others right. Children
// always come after their parent in `nodes`, so every walk ends. Leaf values include the learning rate: an ensemble's
// prediction is the plain sum of its leaves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treecca {

/// Maximum number of splits between the root and a leaf, in trees of any engine.
inline constexpr int kMaxTreeDepth = 1024;

/// Levels of a category: positions from 0 to 255, one bit each.
struct LevelSet {
  std::array<std::uint64_t, 4> words{};

  void insert(std::size_t level) { words[level / 64] |= std::uint64_t{1} << (level % 64); }
  bool contains(std::size_t level) const { return ((words[level / 64] >> (level % 64)) & 1U) != 0; }
  bool operator==(const LevelSet&) const = default;
};

struct Node {
  std::int32_t feature = -1;  // column tested here; -1: this is a leaf
  float threshold = 0.0F;     // in the feature's own units, finite; 0 for a category
  std::int32_t left = -1;     // index of the child in Tree::nodes
  std::int32_t right = -1;
  std::int32_t leaf = -1;  // for leaves: row of Tree::leaf_values
  float cover = 0.0F;      // training rows that reached this node (sum of Hessians)
  bool default_left = true;
  std::int32_t level_set = -1;  // of a category: index in Tree::level_sets of the levels that go left

  bool is_leaf() const { return feature < 0; }
  bool operator==(const Node&) const = default;
};

struct Tree {
  std::int32_t component = -1;            // the component this tree adds to; -1: all of them (vector leaves)
  std::vector<Node> nodes;                // nodes[0] is the root; never empty
  std::vector<float> leaf_values;         // leaves x width, width = 1 (scalar) or all trained components (vector)
  std::vector<LevelSet> level_sets = {};  // one per node that tests a category, in the order of the nodes

  /// Whether a row with this value of its feature goes left at a split. A value that is not a level counts as missing.
  bool goes_left(const Node& split, float value) const {
    if (split.level_set < 0) return split.default_left ? !(value >= split.threshold) : value < split.threshold;
    if (!(value >= 0 && value < 256)) return split.default_left;
    return level_sets[static_cast<std::size_t>(split.level_set)].contains(static_cast<std::size_t>(value));
  }

  bool operator==(const Tree&) const = default;
};

}  // namespace treecca
