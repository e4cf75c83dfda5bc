#include "engines/xgboost_trees.hpp"

#include <fmt/format.h>

#include <limits>

#include "support/document_fields.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// One tree in XGBoost's form: parallel arrays over nodes, parents and children in any order.
class XgboostTreeReader {
 public:
  XgboostTreeReader(const Document& document, const std::string& path) {
    Fields fields(document, path);
    const std::size_t n = fields.numbers("left_children").size();
    if (n == 0) refuse_document(path, "has no nodes");
    const auto integers = [&](const char* key) {
      return fields.wholes(key, n, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    };
    left_ = integers("left_children");
    right_ = integers("right_children");
    feature_ = integers("split_indices");
    condition_ = fields.numbers("split_conditions", n);
    default_left_ = integers("default_left");
    width_ = std::stoul(Fields(fields.get("tree_param"), fields.path("tree_param")).text("size_leaf_vector"));
    if (fields.has("categories_nodes") && !fields.numbers("categories_nodes").empty()) {
      throw ModelError("it has categorical splits, which are not supported.");
    }
    if (fields.has("sum_hessian")) cover_ = fields.numbers("sum_hessian");
    cover_.resize(n, 0.0);  // absent from vector-leaf trees of some versions
    if (!vector_leaves()) return;
    for (double& cover : cover_) cover /= static_cast<double>(width_);  // a sum over all outputs
    packed_ = fields.has("leaf_weights") && !fields.numbers("leaf_weights").empty();
    weights_ = fields.numbers(packed_ ? "leaf_weights" : "base_weights");
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
    // If nodes could be reached twice, there could be 2^depth copies: two paths per level.
    if (from >= left_.size() || depth > kMaxTreeDepth || tree.nodes.size() > left_.size()) {
      throw ModelError("a tree has a child that does not exist or has two parents, or is too deep.");
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
    // Packed: right_children of a leaf is the index of its vector; else there is one vector per node.
    const auto vector = packed_ ? static_cast<std::size_t>(std::max(0, right_[from])) : from;
    if ((vector + 1) * width_ > weights_.size()) throw ModelError("a tree has too few leaf values.");
    for (std::size_t c = 0; c < width_; ++c) {
      tree.leaf_values.push_back(static_cast<float>(weights_[vector * width_ + c]));
    }
  }

  std::vector<std::int32_t> left_, right_, feature_, default_left_;
  std::vector<double> condition_;
  std::size_t width_ = 1;
  std::vector<double> cover_;
  std::vector<double> weights_;
  bool packed_ = false;
};

}  // namespace

Encoder trees_of_xgboost(std::string_view ubjson, Index n_components, bool joint) {
  try {
    const DocumentLimits limits{.objects = ubjson.size(), .items = ubjson.size(), .finite = false};
    Document document;
    read_document(ubjson, document, limits);
    std::string path = "learner";
    const Document* model = &Fields(document, "").get(path);
    for (const char* key : {"gradient_booster", "model"}) {
      Fields fields(*model, path);
      model = &fields.get(key);
      path = fields.path(key);
    }
    Fields fields(*model, path);
    const std::vector<Document>& trees = fields.objects("trees");
    const std::vector<std::int32_t> component =
        fields.wholes("tree_info", trees.size(), std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    Encoder encoder;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      XgboostTreeReader reader(trees[t], fmt::format("trees[{}]", t));
      if (reader.leaf_width() != (joint ? static_cast<std::size_t>(n_components) : 1)) {
        throw ModelError(fmt::format("a leaf has {} values.", reader.leaf_width()));
      }
      if (!joint && (component[t] < 0 || component[t] >= n_components)) {
        throw ModelError(fmt::format("a tree is for component {} of {}.", component[t] + 1, n_components));
      }
      encoder.push_back(reader.read(joint ? -1 : component[t]));
    }
    return encoder;
  } catch (const std::exception& error) {  // our errors, and errors of numbers in texts
    throw ModelError(fmt::format("The XGBoost model cannot be used: {}", error.what()));
  }
}

}  // namespace treecca
