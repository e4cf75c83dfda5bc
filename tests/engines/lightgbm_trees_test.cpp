#include "engines/lightgbm_trees.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "treecca/error.hpp"

namespace treecca {
namespace {

std::string tree_text(const std::string& changed = "", const std::string& value = "") {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"num_leaves", "3"},           {"num_cat", "0"},          {"split_feature", "1 0"},    {"split_gain", "5 2"},
      {"threshold", "0.1 -2"},       {"decision_type", "10 2"}, {"left_child", "1 -1"},      {"right_child", "-2 -3"},
      {"leaf_value", "0.5 -1 0.25"}, {"leaf_weight", "4 6 2"},  {"internal_weight", "12 6"}, {"is_linear", "0"}};
  std::string text = "Tree=0\n";
  for (const auto& [key, given] : lines) text += key + "=" + (key == changed ? value : given) + "\n";
  return text + "\n";
}

std::string model_of(const std::string& trees) {
  return "tree\nversion=v4\n\n" + trees + "end of trees\n\nparameters:\n";
}

std::string error_of(const std::string& text) {
  try {
    trees_of_lightgbm(text, 1);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LightgbmTrees, KeepSplitsLeavesAndComponents) {
  const Encoder encoder = trees_of_lightgbm(model_of(tree_text() + tree_text() + tree_text()), 2);
  ASSERT_EQ(encoder.size(), 3U);
  EXPECT_EQ(encoder[1].component, 1);
  EXPECT_EQ(encoder[2].component, 0);
  const Tree& tree = encoder[0];
  const Node& root = tree.nodes[0];
  EXPECT_EQ(root.feature, 1);
  EXPECT_EQ(root.cover, 12);
  EXPECT_TRUE(root.default_left);  // decision type 10: missing values were met (8), and go left (2)
  const Node& left = tree.nodes[root.left];
  EXPECT_EQ(left.feature, 0);
  EXPECT_FALSE(left.default_left);  // none were met: a missing value counts as 0, which is above -2
  EXPECT_EQ(tree.leaf_values[tree.nodes[root.right].leaf], -1.0F);
  EXPECT_EQ(tree.leaf_values[tree.nodes[left.left].leaf], 0.5F);
  EXPECT_EQ(tree.leaf_values[tree.nodes[left.right].leaf], 0.25F);
  EXPECT_EQ(tree.nodes[root.right].cover, 6);
}

TEST(LightgbmTrees, ThresholdsPartFloatsAsDoublesDid) {
  for (const double threshold : {0.1, -0.1, 1.0, 0.0, 1e-46, -1e-46, 16777217.0, 3.4e38, 1e300, -1e30}) {
    const std::string exact = tree_text("threshold", fmt::format("{} -2", threshold));
    const float ours = trees_of_lightgbm(model_of(exact), 1)[0].nodes[0].threshold;
    const auto near = static_cast<float>(std::min(threshold, 3e38));
    for (const float x : {near, std::nextafter(near, -1e38F), std::nextafter(near, 3.2e38F), 0.0F, 1.0F, -5.0F}) {
      EXPECT_EQ(x < ours, static_cast<double>(x) <= threshold) << x << " at " << threshold;
    }
  }
}

TEST(LightgbmTrees, ATreeOfOneLeaf) {
  const Encoder encoder = trees_of_lightgbm(model_of("Tree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=0.5\n\n"), 1);
  ASSERT_EQ(encoder.at(0).nodes.size(), 1U);
  EXPECT_EQ(encoder[0].leaf_values, (std::vector<float>{0.5F}));
}

/// A tree in which split i has split i + 1 as its left child.
std::string chain_text(int splits) {
  std::string left, right, zeros, leaves;
  for (int i = 0; i < splits; ++i) {
    left += fmt::format("{} ", i + 1 < splits ? i + 1 : -1);
    right += fmt::format("{} ", -2 - i);
    zeros += "0 ";
  }
  return fmt::format(
      "Tree=0\nnum_leaves={}\nnum_cat=0\nsplit_feature={}\nthreshold={}\ndecision_type={}\nleft_child={}\n"
      "right_child={}\nleaf_value={}0\nleaf_weight={}0\ninternal_weight={}\n\n",
      splits + 1, zeros, zeros, zeros, left, right, zeros, zeros, zeros);
}

TEST(LightgbmTrees, AreAsDeepAsAModelMayHold) {
  EXPECT_EQ(trees_of_lightgbm(model_of(chain_text(kMaxTreeDepth)), 1)[0].nodes.size(), 2U * kMaxTreeDepth + 1);
  EXPECT_NE(error_of(model_of(chain_text(kMaxTreeDepth + 1))).find("too deep"), std::string::npos);
}

TEST(LightgbmTrees, NodesWithTwoParentsAreRefusedAtOnce) {
  std::string text = chain_text(60);
  const std::size_t left = text.find("left_child=") + 11;
  const std::string children = text.substr(left, text.find('\n', left) - left);
  const std::size_t right = text.find("right_child=") + 12;
  text.replace(right, text.find('\n', right) - right, children);
  EXPECT_NE(error_of(model_of(text)).find("two parents"), std::string::npos);
}

TEST(LightgbmTrees, RefusesDamage) {
  EXPECT_NE(error_of("").find("does not begin"), std::string::npos);
  EXPECT_NE(error_of("tree\n" + tree_text()).find("it ends before"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("left_child", "0 -1"))).find("does not exist"), std::string::npos);  // a cycle
  EXPECT_NE(error_of(model_of(tree_text("left_child", "5 -1"))).find("does not exist"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("right_child", "-9 -3"))).find("does not exist"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("split_feature", "-1 0"))).find("does not exist"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("split_feature", "nan 0"))).find("does not exist"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("leaf_value", "1 2"))).find("\"leaf_value\" has 2 numbers"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("threshold", "a b"))).find("not a number"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("num_leaves", "-1"))).find("number of leaves"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("num_leaves", "1e99"))).find("number of leaves"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("num_cat", "1"))).find("categorical"), std::string::npos);
  EXPECT_NE(error_of(model_of(tree_text("is_linear", "1"))).find("linear"), std::string::npos);
}

}  // namespace
}  // namespace treecca
