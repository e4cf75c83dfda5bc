#include "engines/xgboost_trees.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "treecca/error.hpp"

namespace treecca {
namespace {

using Json = nlohmann::json;

/// One tree as XGBoost writes it: parallel arrays over nodes, numbered so that children may stand anywhere.
class XgboostTreeReader {
 public:
  explicit XgboostTreeReader(const Json& json)
      : left_(json.at("left_children").get<std::vector<int>>()),
        right_(json.at("right_children").get<std::vector<int>>()),
        feature_(json.at("split_indices").get<std::vector<int>>()),
        condition_(json.at("split_conditions").get<std::vector<double>>()),
        default_left_(json.at("default_left").get<std::vector<int>>()),
        width_(std::stoul(json.at("tree_param").at("size_leaf_vector").get<std::string>())) {
    const std::size_t n = left_.size();
    if (json.contains("categories_nodes") && !json.at("categories_nodes").empty()) {
      throw ModelError("it has categorical splits, which are not supported.");
    }
    if (json.contains("sum_hessian")) cover_ = json.at("sum_hessian").get<std::vector<double>>();
    cover_.resize(n, 0.0);  // vector-leaf trees of some versions do not have it
    if (vector_leaves()) {  // a sum over all outputs there
      for (double& cover : cover_) cover /= static_cast<double>(width_);
    }
    if (vector_leaves()) {
      if (json.contains("leaf_weights") && !json.at("leaf_weights").empty()) {
        weights_ = json.at("leaf_weights").get<std::vector<double>>();
        packed_ = true;
      } else {
        weights_ = json.at("base_weights").get<std::vector<double>>();
      }
    }
    if (n == 0 || right_.size() != n || feature_.size() != n || condition_.size() != n || default_left_.size() != n) {
      throw ModelError("a tree has arrays of different lengths.");
    }
  }

  std::size_t leaf_width() const { return vector_leaves() ? width_ : 1; }

  Tree read(int component) {
    Tree tree;
    tree.component = component;
    tree.nodes.resize(1);
    add(tree, 0, 0, 0);
    return tree;
  }

 private:
  void add(Tree& tree, std::size_t from, std::size_t place, int depth) {
    constexpr int kMaxDepth = 64;
    if (from >= left_.size() || depth > kMaxDepth) {
      throw ModelError("a tree has a child that does not exist, or is too deep.");
    }
    Node node;
    node.cover = static_cast<float>(cover_[from]);
    if (left_[from] < 0) {
      node.leaf = static_cast<std::int32_t>(tree.leaf_values.size() / leaf_width());
      add_leaf(tree, from);
      tree.nodes[place] = node;
      return;
    }
    if (feature_[from] < 0) throw ModelError("a tree has a split on a feature that does not exist.");
    node.feature = feature_[from];
    node.threshold = static_cast<float>(condition_[from]);
    node.default_left = default_left_[from] != 0;
    node.left = static_cast<std::int32_t>(tree.nodes.size());
    node.right = node.left + 1;
    tree.nodes.resize(tree.nodes.size() + 2);
    tree.nodes[place] = node;
    add(tree, static_cast<std::size_t>(left_[from]), static_cast<std::size_t>(node.left), depth + 1);
    add(tree, static_cast<std::size_t>(right_[from]), static_cast<std::size_t>(node.right), depth + 1);
  }

  bool vector_leaves() const { return width_ > 1; }

  void add_leaf(Tree& tree, std::size_t from) {
    if (!vector_leaves()) {
      tree.leaf_values.push_back(static_cast<float>(condition_[from]));
      return;
    }
    // Packed: right_children of a leaf says which vector is its own; else one vector per node.
    const auto vector = packed_ ? static_cast<std::size_t>(std::max(0, right_[from])) : from;
    if ((vector + 1) * width_ > weights_.size()) throw ModelError("a tree has too few leaf values.");
    for (std::size_t c = 0; c < width_; ++c) {
      tree.leaf_values.push_back(static_cast<float>(weights_[vector * width_ + c]));
    }
  }

  std::vector<int> left_, right_, feature_;
  std::vector<double> condition_;
  std::vector<int> default_left_;
  std::size_t width_;
  std::vector<double> cover_;
  std::vector<double> weights_;
  bool packed_ = false;
};

}  // namespace

Encoder trees_of_xgboost(std::string_view ubjson, Index n_components, bool joint) {
  try {
    const Json json = Json::from_ubjson(ubjson);
    const Json& model = json.at("learner").at("gradient_booster").at("model");
    const Json& trees = model.at("trees");
    const auto component = model.at("tree_info").get<std::vector<int>>();
    if (component.size() != trees.size()) throw ModelError("tree_info does not fit the trees.");
    Encoder encoder;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      XgboostTreeReader reader(trees[t]);
      if (reader.leaf_width() != (joint ? static_cast<std::size_t>(n_components) : 1)) {
        throw ModelError(fmt::format("a leaf has {} values.", reader.leaf_width()));
      }
      if (!joint && (component[t] < 0 || component[t] >= n_components)) {
        throw ModelError(fmt::format("a tree is for component {} of {}.", component[t] + 1, n_components));
      }
      encoder.push_back(reader.read(joint ? -1 : component[t]));
    }
    return encoder;
  } catch (const std::exception& error) {  // of the JSON library, of numbers in texts, and our own
    throw ModelError(fmt::format("The XGBoost model cannot be used: {}", error.what()));
  }
}

}  // namespace treecca
