// Checks a tree of a model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "treecca/tree.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Limits for the trees of one view.
struct TreeRules {
  std::int32_t n_components = 0;  // W
  std::int64_t n_features = 0;
  bool joint = false;
  int max_depth = 0;
  const Levels* levels = nullptr;  // of the features; null or empty: all are numbers
};

/// Memory that is reused for every tree.
struct TreeScratch {
  std::vector<int> depth;  // of every node; -1: no parent yet
  std::vector<char> leaf_seen;
};

/// Checks nodes, leaves and values. Failure: ModelError that begins with path(); path is called only on failure.
void check_tree(const Tree& tree, const TreeRules& rules, TreeScratch& scratch,
                const std::function<std::string()>& path);

}  // namespace treecca
