#include "engines/xgboost_trees.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "treecca/error.hpp"

namespace treecca {
namespace {

using Json = nlohmann::json;

/// x1 < 0.5 ? (x0 < -1 ? leaf : leaf) : leaf, with the nodes in XGBoost's order.
Json scalar_tree() {
  return {{"left_children", {1, 3, -1, -1, -1}}, {"right_children", {2, 4, -1, -1, -1}},
          {"split_indices", {1, 0, 0, 0, 0}},    {"split_conditions", {0.5, -1.0, 0.25, 0.125, -0.75}},
          {"default_left", {1, 0, 0, 0, 0}},     {"sum_hessian", {10, 7, 3, 5, 2}},
          {"categories_nodes", Json::array()},   {"tree_param", {{"size_leaf_vector", "1"}}}};
}

Json vector_tree() {
  Json tree = scalar_tree();
  tree["right_children"] = {2, 4, 1, 0, 2};  // of leaves: which vector is theirs
  tree["sum_hessian"] = {20, 14, 6, 10, 4};
  tree["leaf_weights"] = {1, 2, 3, 4, 5, 6};
  tree["tree_param"]["size_leaf_vector"] = "2";
  return tree;
}

/// As XGBoost writes it: with lengths and types in front of arrays.
std::string bytes_of(const Json& json) {
  std::string bytes;
  Json::to_ubjson(json, bytes, true, true);
  return bytes;
}

std::string model_of(const std::vector<Json>& trees, const std::vector<int>& info) {
  Json model;
  model["learner"]["gradient_booster"]["model"] = {{"trees", trees}, {"tree_info", info}};
  return bytes_of(model);
}

std::string error_of(const std::string& text, Index n_components = 1, bool joint = false) {
  try {
    trees_of_xgboost(text, n_components, joint);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(XgboostTrees, ScalarTreesKeepSplitsLeavesAndComponents) {
  const Encoder encoder = trees_of_xgboost(model_of({scalar_tree(), scalar_tree()}, {0, 1}), 2, false);
  ASSERT_EQ(encoder.size(), 2U);
  EXPECT_EQ(encoder[0].component, 0);
  const Tree& tree = encoder[1];
  EXPECT_EQ(tree.component, 1);
  ASSERT_EQ(tree.nodes.size(), 5U);
  const Node& root = tree.nodes[0];
  EXPECT_EQ(root.feature, 1);
  EXPECT_EQ(root.threshold, 0.5F);
  EXPECT_TRUE(root.default_left);
  EXPECT_EQ(root.cover, 10);
  const Node& left = tree.nodes[root.left];
  EXPECT_EQ(left.feature, 0);
  EXPECT_FALSE(left.default_left);
  EXPECT_EQ(tree.leaf_values[tree.nodes[root.right].leaf], 0.25F);
  EXPECT_EQ(tree.leaf_values[tree.nodes[left.left].leaf], 0.125F);
  EXPECT_EQ(tree.leaf_values[tree.nodes[left.right].leaf], -0.75F);
}

TEST(XgboostTrees, VectorLeavesAreFoundByTheirPlace) {
  const Encoder encoder = trees_of_xgboost(model_of({vector_tree()}, {0}), 2, true);
  const Tree& tree = encoder.at(0);
  EXPECT_EQ(tree.component, -1);
  EXPECT_EQ(tree.nodes[0].cover, 10);  // XGBoost adds up the Hessians of all outputs
  const auto leaf = [&](const Node& node) {
    return std::vector<float>{tree.leaf_values[2 * node.leaf], tree.leaf_values[2 * node.leaf + 1]};
  };
  const Node& root = tree.nodes[0];
  const Node& left = tree.nodes[root.left];
  EXPECT_EQ(leaf(tree.nodes[root.right]), (std::vector<float>{3, 4}));
  EXPECT_EQ(leaf(tree.nodes[left.left]), (std::vector<float>{1, 2}));
  EXPECT_EQ(leaf(tree.nodes[left.right]), (std::vector<float>{5, 6}));
}

TEST(XgboostTrees, OneComponentOfJointTreesIsForAll) {
  EXPECT_EQ(trees_of_xgboost(model_of({scalar_tree()}, {0}), 1, true)[0].component, -1);
}

TEST(XgboostTrees, RefusesDamage) {
  EXPECT_NE(error_of("{").find("cannot be used"), std::string::npos);
  EXPECT_NE(error_of(bytes_of(Json::object())).find("cannot be used"), std::string::npos);
  const std::string whole = model_of({scalar_tree()}, {0});
  EXPECT_EQ(error_of(whole), "no error");
  EXPECT_NE(error_of(whole.substr(0, whole.size() / 2)).find("cannot be used"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {0, 1})).find("tree_info"), std::string::npos);
  const auto damaged = [](const char* key, const Json& value) {
    Json tree = scalar_tree();
    tree[key] = value;
    return error_of(model_of({tree}, {0}));
  };
  EXPECT_NE(damaged("left_children", {1, 0, -1, -1, -1}).find("does not exist"), std::string::npos);  // a cycle
  EXPECT_NE(damaged("left_children", {1, 99, -1, -1, -1}).find("does not exist"), std::string::npos);
  EXPECT_NE(damaged("right_children", {2, -7, -1, -1, -1}).find("does not exist"), std::string::npos);
  EXPECT_NE(damaged("split_indices", {-1, 0, 0, 0, 0}).find("does not exist"), std::string::npos);
  EXPECT_NE(damaged("split_indices", {1}).find("different lengths"), std::string::npos);
  EXPECT_NE(damaged("categories_nodes", {0}).find("categorical"), std::string::npos);
  EXPECT_NE(damaged("split_conditions", "x").find("cannot be used"), std::string::npos);
  Json few = vector_tree();
  few["leaf_weights"] = {1, 2};
  EXPECT_NE(error_of(model_of({few}, {0}), 2, true).find("too few leaf values"), std::string::npos);
}

TEST(XgboostTrees, RefusesLeavesAndComponentsOfAnotherModel) {
  EXPECT_NE(error_of(model_of({vector_tree()}, {0}), 2, false).find("a leaf has 2 values"), std::string::npos);
  EXPECT_NE(error_of(model_of({vector_tree()}, {0}), 3, true).find("a leaf has 2 values"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {0}), 2, true).find("a leaf has 1 values"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {2}), 2, false).find("component 3 of 2"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {-1}), 2, false).find("component 0 of 2"), std::string::npos);
}

TEST(XgboostTrees, ReadsWhatIsNoNumberWhereNothingDependsOnIt) {
  Json tree = vector_tree();
  tree["loss_changes"] = {1.0, NAN, 0.0, 0.0, 0.0};
  tree["split_conditions"] = {0.5, -1.0, NAN, NAN, NAN};  // of leaves
  EXPECT_EQ(error_of(model_of({tree}, {0}), 2, true), "no error");
}

}  // namespace
}  // namespace treecca
