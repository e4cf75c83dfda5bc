// XGBoost's model format, as its version 3.2 writes it, in the parts of it that earlier versions read alike:
// - Leaf vectors stand twice: "leaf_weights" is where 3.2 and later look, "base_weights" where earlier ones do.
// - The intercept is in the leaves of the first tree. As "base_score" it would need a list, which versions before 3.1
//   take for 0.5 without a word.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "export/formats.hpp"
#include "support/typed_value.hpp"

namespace treecca {
namespace {

/// How much better the children's values fit than the node's own: the gain of a squared error.
float gain(const Tree& tree, std::size_t at, const Matrix<float>& values) {
  const Node& node = tree.nodes[at];
  double sum = 0;
  for (Index c = 0; c < values.cols(); ++c) {
    for (const std::int32_t child : {node.left, node.right}) {
      const double step = values(child, c) - values(static_cast<Index>(at), c);
      sum += static_cast<double>(tree.nodes[static_cast<std::size_t>(child)].cover) * step * step;
    }
  }
  return static_cast<float>(sum);
}

TypedValue tree_value(const Tree& tree, std::int64_t id, const FlatEnsemble& ensemble) {
  const std::size_t n = tree.nodes.size();
  const Index k = ensemble.n_outputs;
  const bool vector_leaves = k > 1;
  const Matrix<float> values = node_values(tree, k);
  std::vector<std::int32_t> left(n, -1), right(n, -1), feature(n, 0), parent(n, 0);
  std::vector<std::uint8_t> default_left(n, 0);
  std::vector<float> condition(n, 0.0F), gains(n, 0.0F), cover(n, 0.0F);
  // The root's parent: none, which the two kinds of tree write differently.
  parent[0] = vector_leaves ? -1 : std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = tree.nodes[i];
    cover[i] = node.cover * static_cast<float>(k);  // XGBoost's sum goes over all outputs
    if (node.is_leaf()) {
      if (vector_leaves)
        right[i] = node.leaf;
      else
        condition[i] = values(static_cast<Index>(i), 0);
      continue;
    }
    left[i] = node.left;
    right[i] = node.right;
    feature[i] = node.feature;
    condition[i] = node.threshold;
    default_left[i] = node.default_left ? 1 : 0;
    gains[i] = gain(tree, i, values);
    parent[static_cast<std::size_t>(node.left)] = static_cast<std::int32_t>(i);
    parent[static_cast<std::size_t>(node.right)] = static_cast<std::int32_t>(i);
  }
  TypedObject object{
      {"base_weights", {values.values()}},
      {"categories", {std::vector<std::int32_t>{}}},
      {"categories_nodes", {std::vector<std::int32_t>{}}},
      {"categories_segments", {std::vector<std::int64_t>{}}},
      {"categories_sizes", {std::vector<std::int64_t>{}}},
      {"default_left", {std::move(default_left)}},
      {"id", {id}},
      {"left_children", {std::move(left)}},
      {"loss_changes", {std::move(gains)}},
      {"parents", {std::move(parent)}},
      {"right_children", {std::move(right)}},
      {"split_conditions", {std::move(condition)}},
      {"split_indices", {std::move(feature)}},
      {"split_type", {std::vector<std::uint8_t>(n, 0)}},
      {"sum_hessian", {std::move(cover)}},
      {"tree_param",
       {TypedObject{{"num_deleted", {"0"}},
                    {"num_feature", {fmt::to_string(ensemble.feature_names.size())}},
                    {"num_nodes", {fmt::to_string(n)}},
                    {"size_leaf_vector", {fmt::to_string(k)}}}}},
  };
  if (vector_leaves) object.push_back({"leaf_weights", {tree.leaf_values}});
  return {std::move(object)};
}

/// Names that XGBoost takes: it refuses brackets and "<". Without names it asks for the right number of columns only.
TypedList feature_names(const FlatEnsemble& ensemble) {
  TypedList names;
  for (const std::string& name : ensemble.feature_names) {
    if (name.find_first_of("[]<") != std::string::npos) return {};
    names.push_back({name});
  }
  return names;
}

/// With the intercept in its leaves.
Tree first_tree(const FlatEnsemble& ensemble) {
  const auto k = static_cast<std::size_t>(ensemble.n_outputs);
  Tree tree = ensemble.trees[0];
  for (std::size_t i = 0; i < tree.leaf_values.size(); ++i) {
    tree.leaf_values[i] = static_cast<float>(tree.leaf_values[i] + ensemble.intercept[i % k]);
  }
  return tree;
}

TypedValue booster(const FlatEnsemble& ensemble) {
  const std::size_t n = ensemble.trees.size();
  const Tree first = first_tree(ensemble);
  TypedList trees, starts, info;
  for (std::size_t i = 0; i < n; ++i) {
    const Tree& tree = i == 0 ? first : ensemble.trees[i];
    trees.push_back(tree_value(tree, static_cast<std::int64_t>(i), ensemble));
    starts.push_back({static_cast<std::int64_t>(i)});
    info.push_back({std::int64_t{0}});
  }
  starts.push_back({static_cast<std::int64_t>(n)});
  const TypedList names = feature_names(ensemble);
  return {TypedObject{
      {"learner",
       {TypedObject{
           {"attributes", {TypedObject{}}},
           {"feature_names", {names}},
           {"feature_types", {TypedList(names.size(), TypedValue{"float"})}},
           {"gradient_booster",
            {TypedObject{
                {"model",
                 {TypedObject{{"cats",
                               {TypedObject{{"enc", {TypedList{}}},
                                            {"feature_segments", {std::vector<std::int32_t>{}}},
                                            {"sorted_idx", {std::vector<std::int32_t>{}}}}}},
                              {"gbtree_model_param",
                               {TypedObject{{"num_parallel_tree", {"1"}}, {"num_trees", {fmt::to_string(n)}}}}},
                              {"iteration_indptr", {std::move(starts)}},
                              {"tree_info", {std::move(info)}},
                              {"trees", {std::move(trees)}}}}},
                {"name", {"gbtree"}}}}},
           {"learner_model_param",
            {TypedObject{{"base_score", {"0E0"}},
                         {"boost_from_average", {"0"}},
                         {"num_class", {"0"}},
                         {"num_feature", {fmt::to_string(ensemble.feature_names.size())}},
                         {"num_target", {fmt::to_string(ensemble.n_outputs)}}}}},
           {"objective",
            {TypedObject{{"name", {"reg:squarederror"}},
                         {"reg_loss_param", {TypedObject{{"scale_pos_weight", {"1"}}}}}}}},
       }}},
      {"version", {TypedList{{std::int64_t{3}}, {std::int64_t{2}}, {std::int64_t{0}}}}},
  }};
}

}  // namespace

std::string xgboost_json(const FlatEnsemble& ensemble) { return to_json(booster(ensemble)); }
std::string xgboost_ubjson(const FlatEnsemble& ensemble) { return to_ubjson(booster(ensemble)); }

}  // namespace treecca
