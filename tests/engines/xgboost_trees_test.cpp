#include "engines/xgboost_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/document.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Integers = std::vector<std::int32_t>;
using Numbers = std::vector<float>;

void set(Document& object, const std::string& key, Document value) {
  const auto at = std::find(object.keys.begin(), object.keys.end(), key) - object.keys.begin();
  if (at == static_cast<std::ptrdiff_t>(object.keys.size())) {
    object.add(key, std::move(value));
  } else {
    object.items[static_cast<std::size_t>(at)] = std::move(value);
  }
}

/// x1 < 0.5 ? (x0 < -1 ? leaf : leaf) : leaf, with the nodes in XGBoost's order.
Document scalar_tree() {
  Document tree = Document::object();
  tree.add("left_children", Integers{1, 3, -1, -1, -1})
      .add("right_children", Integers{2, 4, -1, -1, -1})
      .add("split_indices", Integers{1, 0, 0, 0, 0})
      .add("split_conditions", Numbers{0.5, -1.0, 0.25, 0.125, -0.75})
      .add("default_left", std::vector<std::uint8_t>{1, 0, 0, 0, 0})
      .add("sum_hessian", Numbers{10, 7, 3, 5, 2})
      .add("categories_nodes", Integers{})
      .add("tree_param", Document::object().add("size_leaf_vector", "1"));
  return tree;
}

Document vector_tree() {
  Document tree = scalar_tree();
  set(tree, "right_children", Document(Integers{2, 4, 1, 0, 2}));  // of leaves: the number of their vector
  set(tree, "sum_hessian", Document(Numbers{20, 14, 6, 10, 4}));
  set(tree, "leaf_weights", Document(Numbers{1, 2, 3, 4, 5, 6}));
  set(tree, "tree_param", Document::object().add("size_leaf_vector", "2"));
  return tree;
}

/// As XGBoost writes it: with counts and types in front of arrays.
std::string bytes_of(const Document& document) { return write_ubjson(document, DocumentStyle::compact); }

std::string model_of(const std::vector<Document>& trees, const Integers& info) {
  Document model = Document::object().add("trees", trees).add("tree_info", info);
  Document booster = Document::object().add("gradient_booster", Document::object().add("model", std::move(model)));
  return bytes_of(Document::object().add("learner", std::move(booster)));
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

/// Node i (a split for i < splits) has node i + 1 as its left child; the right children are leaves behind them.
Document chain(int splits, bool two_parents = false) {
  Integers left, right;
  for (int i = 0; i < 2 * splits + 1; ++i) {
    left.push_back(i < splits ? i + 1 : -1);
    right.push_back(i < splits ? (two_parents ? i + 1 : splits + 1 + i) : -1);
  }
  const Numbers zeros(left.size(), 0.0F);
  Document tree = scalar_tree();
  set(tree, "left_children", Document(left));
  set(tree, "right_children", Document(right));
  set(tree, "split_indices", Document(Integers(left.size(), 0)));
  set(tree, "split_conditions", Document(zeros));
  set(tree, "default_left", Document(std::vector<std::uint8_t>(left.size(), 0)));
  set(tree, "sum_hessian", Document(zeros));
  return tree;
}

TEST(XgboostTrees, AreAsDeepAsAModelMayHold) {
  const Encoder encoder = trees_of_xgboost(model_of({chain(kMaxTreeDepth)}, {0}), 1, false);
  EXPECT_EQ(encoder.at(0).nodes.size(), 2U * kMaxTreeDepth + 1);
  EXPECT_NE(error_of(model_of({chain(kMaxTreeDepth + 1)}, {0})).find("too deep"), std::string::npos);
}

TEST(XgboostTrees, NodesWithTwoParentsAreRefusedAtOnce) {
  EXPECT_NE(error_of(model_of({chain(60, true)}, {0})).find("two parents"), std::string::npos);
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
  EXPECT_NE(error_of(bytes_of(Document::object())).find("cannot be used"), std::string::npos);
  const std::string whole = model_of({scalar_tree()}, {0});
  EXPECT_EQ(error_of(whole), "no error");
  EXPECT_NE(error_of(whole.substr(0, whole.size() / 2)).find("cannot be used"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {0, 1})).find("tree_info"), std::string::npos);
  const auto damaged = [](const char* key, const auto& value) {
    Document tree = scalar_tree();
    set(tree, key, Document(value));
    return error_of(model_of({tree}, {0}));
  };
  EXPECT_NE(damaged("left_children", Integers{1, 0, -1, -1, -1}).find("does not exist"), std::string::npos);  // a cycle
  EXPECT_NE(damaged("left_children", Integers{1, 99, -1, -1, -1}).find("does not exist"), std::string::npos);
  EXPECT_NE(damaged("right_children", Integers{2, -7, -1, -1, -1}).find("does not exist"), std::string::npos);
  EXPECT_NE(damaged("split_indices", Integers{-1, 0, 0, 0, 0}).find("does not exist"), std::string::npos);
  EXPECT_NE(damaged("split_indices", Integers{1}).find("trees[0].split_indices has 1 numbers, but must have 5"),
            std::string::npos);
  EXPECT_NE(damaged("categories_nodes", Integers{0}).find("categorical"), std::string::npos);
  EXPECT_NE(damaged("split_conditions", "x").find("cannot be used"), std::string::npos);
  Document few = vector_tree();
  set(few, "leaf_weights", Document(Numbers{1, 2}));
  EXPECT_NE(error_of(model_of({few}, {0}), 2, true).find("too few leaf values"), std::string::npos);
}

TEST(XgboostTrees, RefusesLeavesAndComponentsOfAnotherModel) {
  EXPECT_NE(error_of(model_of({vector_tree()}, {0}), 2, false).find("a leaf has 2 values"), std::string::npos);
  EXPECT_NE(error_of(model_of({vector_tree()}, {0}), 3, true).find("a leaf has 2 values"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {0}), 2, true).find("a leaf has 1 values"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {2}), 2, false).find("component 3 of 2"), std::string::npos);
  EXPECT_NE(error_of(model_of({scalar_tree()}, {-1}), 2, false).find("component 0 of 2"), std::string::npos);
}

TEST(XgboostTrees, ReadsNaNWhereNothingDependsOnIt) {
  Document tree = vector_tree();
  set(tree, "loss_changes", Document(Numbers{1.0, NAN, 0.0, 0.0, 0.0}));
  set(tree, "split_conditions", Document(Numbers{0.5, -1.0, NAN, NAN, NAN}));  // of leaves
  EXPECT_EQ(error_of(model_of({tree}, {0}), 2, true), "no error");
}

}  // namespace
}  // namespace treecca
