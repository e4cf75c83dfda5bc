// XGBoost's model format as version 3.2 writes it, limited to the parts that earlier versions read in the same way:
// - Leaf vectors are written twice: 3.2 and later read "leaf_weights", earlier versions "base_weights".
// - The intercept is in the leaves of the first tree. As "base_score" it would need a list, which versions before 3.1
// silently replace by 0.5.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "export/formats.hpp"
#include "support/document.hpp"

namespace treecca {
namespace {

/// The gain of a split: the reduction of squared error by the children's values, compared with the node's own value.
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

Document tree_document(const Tree& tree, std::int64_t id, const FlatEnsemble& ensemble) {
  const std::size_t n = tree.nodes.size();
  const Index k = ensemble.n_outputs;
  const bool vector_leaves = k > 1;
  const Matrix<float> values = node_values(tree, k);
  std::vector<std::int32_t> left(n, -1), right(n, -1), feature(n, 0), parent(n, 0);
  std::vector<std::uint8_t> default_left(n, 0);
  std::vector<float> condition(n, 0.0F), gains(n, 0.0F), cover(n, 0.0F);
  std::vector<std::uint8_t> split_type(n, 0);            // 1: a category
  std::vector<std::int32_t> categories, category_nodes;  // levels that go right, node by node
  std::vector<double> category_begins, category_counts;  // of each of these nodes
  // The root's parent is "none", which the two kinds of tree write differently.
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
    if (node.level_set >= 0) {
      const LevelSet& left_levels = tree.level_sets[static_cast<std::size_t>(node.level_set)];
      const std::size_t count = ensemble.levels[static_cast<std::size_t>(node.feature)].size();
      const std::size_t begin = categories.size();
      for (std::size_t level = 0; level < count; ++level) {
        if (!left_levels.contains(level)) categories.push_back(static_cast<std::int32_t>(level));
      }
      const std::size_t right_levels = categories.size() - begin;
      if (right_levels == 0 || right_levels == count) {  // only missing values are separated from the levels
        categories.resize(begin);
        condition[i] = std::numeric_limits<float>::max() * (right_levels == 0 ? 1.0F : -1.0F);
      } else {
        split_type[i] = 1;
        category_nodes.push_back(static_cast<std::int32_t>(i));
        category_begins.push_back(static_cast<double>(begin));
        category_counts.push_back(static_cast<double>(right_levels));
      }
    }
    gains[i] = gain(tree, i, values);
    parent[static_cast<std::size_t>(node.left)] = static_cast<std::int32_t>(i);
    parent[static_cast<std::size_t>(node.right)] = static_cast<std::int32_t>(i);
  }
  Document document = Document::object();
  document.add("base_weights", values.values())
      .add("categories", categories)
      .add("categories_nodes", category_nodes)
      .add("categories_segments", Document(std::move(category_begins), Document::Type::int64))
      .add("categories_sizes", Document(std::move(category_counts), Document::Type::int64))
      .add("default_left", default_left)
      .add("id", id)
      .add("left_children", left)
      .add("loss_changes", gains)
      .add("parents", parent)
      .add("right_children", right)
      .add("split_conditions", condition)
      .add("split_indices", feature)
      .add("split_type", split_type)
      .add("sum_hessian", cover)
      .add("tree_param", Document::object()
                             .add("num_deleted", "0")
                             .add("num_feature", fmt::to_string(ensemble.feature_names.size()))
                             .add("num_nodes", fmt::to_string(n))
                             .add("size_leaf_vector", fmt::to_string(k)));
  if (vector_leaves) document.add("leaf_weights", tree.leaf_values);
  return document;
}

/// Feature names in XGBoost's syntax, which excludes brackets and "<". A file without names makes XGBoost check only
/// the number of columns.
std::vector<std::string> feature_names(const FlatEnsemble& ensemble) {
  for (const std::string& name : ensemble.feature_names) {
    if (name.find_first_of("[]<") != std::string::npos) return {};
  }
  return ensemble.feature_names;
}

/// Adds the intercept to the leaves.
Tree first_tree(const FlatEnsemble& ensemble) {
  const auto k = static_cast<std::size_t>(ensemble.n_outputs);
  Tree tree = ensemble.trees[0];
  for (std::size_t i = 0; i < tree.leaf_values.size(); ++i) {
    tree.leaf_values[i] = static_cast<float>(tree.leaf_values[i] + ensemble.intercept[i % k]);
  }
  return tree;
}

std::vector<std::string> feature_types(const FlatEnsemble& ensemble) {
  std::vector<std::string> types(ensemble.feature_names.size(), "float");
  for (std::size_t j = 0; j < ensemble.levels.size(); ++j) {
    if (!ensemble.levels[j].empty()) types[j] = "c";
  }
  return types;
}

Document booster(const FlatEnsemble& ensemble) {
  const std::size_t n = ensemble.trees.size();
  const Tree first = first_tree(ensemble);
  std::vector<Document> trees, starts, info;
  for (std::size_t i = 0; i < n; ++i) {
    const Tree& tree = i == 0 ? first : ensemble.trees[i];
    trees.push_back(tree_document(tree, static_cast<std::int64_t>(i), ensemble));
    starts.emplace_back(i);
    info.emplace_back(0);
  }
  starts.emplace_back(n);
  const std::vector<std::string> names = feature_names(ensemble);
  Document categories = Document::object()
                            .add("enc", std::vector<Document>{})
                            .add("feature_segments", std::vector<std::int32_t>{})
                            .add("sorted_idx", std::vector<std::int32_t>{});
  Document model = Document::object()
                       .add("cats", std::move(categories))
                       .add("gbtree_model_param",
                            Document::object().add("num_parallel_tree", "1").add("num_trees", fmt::to_string(n)))
                       .add("iteration_indptr", std::move(starts))
                       .add("tree_info", std::move(info))
                       .add("trees", std::move(trees));
  Document parameters = Document::object()
                            .add("base_score", "0E0")
                            .add("boost_from_average", "0")
                            .add("num_class", "0")
                            .add("num_feature", fmt::to_string(ensemble.feature_names.size()))
                            .add("num_target", fmt::to_string(ensemble.n_outputs));
  Document objective = Document::object()
                           .add("name", "reg:squarederror")
                           .add("reg_loss_param", Document::object().add("scale_pos_weight", "1"));
  Document learner =
      Document::object()
          .add("attributes", Document::object())
          .add("feature_names", names)
          .add("feature_types", names.empty() ? std::vector<std::string>{} : feature_types(ensemble))
          .add("gradient_booster", Document::object().add("model", std::move(model)).add("name", "gbtree"))
          .add("learner_model_param", std::move(parameters))
          .add("objective", std::move(objective));
  return Document::object()
      .add("learner", std::move(learner))
      .add("version", std::vector<Document>{Document(3), Document(2), Document(0)});
}

}  // namespace

std::string xgboost_json(const FlatEnsemble& ensemble) { return write_json(booster(ensemble), DocumentStyle::compact); }
std::string xgboost_ubjson(const FlatEnsemble& ensemble) {
  return write_ubjson(booster(ensemble), DocumentStyle::compact);
}

}  // namespace treecca
