// One decision tree, from any engine.
//
// A row goes left at a node when its value is below the threshold (x < threshold), right otherwise;
// a missing value (NaN) goes where `default_left` says. Children always come after their parent
// in `nodes`, so a walk ends. Leaf values already carry the learning rate: an ensemble's prediction is
// the plain sum of its leaves.
#pragma once

#include <cstdint>
#include <vector>

namespace treecca {

/// Maximum number of splits between the root and a leaf, in trees of any engine.
inline constexpr int kMaxTreeDepth = 1024;

struct Node {
  std::int32_t feature = -1;  // column tested here; -1: this is a leaf
  float threshold = 0.0F;     // in the feature's own units, finite
  std::int32_t left = -1;     // index of the child in Tree::nodes
  std::int32_t right = -1;
  std::int32_t leaf = -1;  // for leaves: which row of Tree::leaf_values
  float cover = 0.0F;      // training rows that reached this node (sum of Hessians)
  bool default_left = true;

  bool is_leaf() const { return feature < 0; }
  bool operator==(const Node&) const = default;
};

struct Tree {
  std::int32_t component = -1;     // the component this tree adds to; -1: all of them (vector leaves)
  std::vector<Node> nodes;         // nodes[0] is the root; never empty
  std::vector<float> leaf_values;  // leaves x width, width = 1 (scalar) or all trained components (vector)

  bool operator==(const Tree&) const = default;
};

}  // namespace treecca
