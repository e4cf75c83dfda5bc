#include "explain/tree_mean.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace treecca {
namespace {

/// x0 < 0: x1 < 1: leaves 1, 2 with 3 and 1 rows; else leaf 3 with 12 rows.
Tree small_tree() {
  Tree tree;
  tree.component = 1;
  tree.nodes = {{.feature = 0, .threshold = 0, .left = 1, .right = 2, .cover = 16, .default_left = false},
                {.feature = 1, .threshold = 1, .left = 3, .right = 4, .cover = 4},
                {.leaf = 2, .cover = 12},
                {.leaf = 0, .cover = 3},
                {.leaf = 1, .cover = 1}};
  tree.leaf_values = {1, 2, 3};
  return tree;
}

double mean_at(const Tree& tree, Index feature, double x) {
  std::vector<double> weights;
  std::vector<double> out{5, 0, 5};
  add_mean_prediction(tree, feature, x, 2.0, 1, weights, out.data());
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[2], 5);
  return out[1] / 2;
}

TEST(TreeMean, AveragesByCoverOverAllFeaturesButOne) {
  const Tree tree = small_tree();
  const double low = 0.75 * 1 + 0.25 * 2;
  EXPECT_DOUBLE_EQ(mean_at(tree, -1, 0), 0.25 * low + 0.75 * 3);
  EXPECT_DOUBLE_EQ(mean_at(tree, 0, -1), low);
  EXPECT_DOUBLE_EQ(mean_at(tree, 0, 0), 3);
  EXPECT_DOUBLE_EQ(mean_at(tree, 1, 1), 0.25 * 2 + 0.75 * 3);
  const double missing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(mean_at(tree, 0, missing), 3);
  EXPECT_DOUBLE_EQ(mean_at(tree, 1, missing), 0.25 * 1 + 0.75 * 3);
}

TEST(TreeMean, ASplitWithoutRowsGoesBothWaysAlike) {
  Tree tree = small_tree();
  EXPECT_DOUBLE_EQ(left_fraction(tree, tree.nodes[1]), 0.75);
  for (Node& node : tree.nodes) node.cover = 0;
  EXPECT_DOUBLE_EQ(left_fraction(tree, tree.nodes[1]), 0.5);
  EXPECT_DOUBLE_EQ(mean_at(tree, -1, 0), 0.25 * 1 + 0.25 * 2 + 0.5 * 3);
}

}  // namespace
}  // namespace treecca
