#include "engines/lightgbm_trees.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "treecca/error.hpp"

namespace treecca {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw ModelError("The LightGBM model cannot be used: " + reason);
}

/// LightGBM tests "x <= t" with a double; for single-precision x that is "x < the next float above t".
float next_above(double threshold) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kMost = std::numeric_limits<float>::max();
  if (threshold >= static_cast<double>(kMost)) return kMost;
  auto below = static_cast<float>(threshold);
  if (static_cast<double>(below) > threshold) below = std::nextafter(below, -kInfinity);
  return std::nextafter(below, kInfinity);
}

/// "key=value" lines of one tree.
class TreeText {
 public:
  void add(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) values_[std::string(line.substr(0, equals))] = line.substr(equals + 1);
  }

  std::vector<double> numbers(const std::string& key, std::size_t count) const {
    const auto found = values_.find(key);
    std::vector<double> result;
    if (found != values_.end()) {
      const char* at = found->second.data();
      const char* end = at + found->second.size();
      while (at < end) {
        double value = 0;
        const auto [next, error] = fast_float::from_chars(at, end, value);
        if (error != std::errc()) refuse(fmt::format("\"{}\" contains something that is not a number.", key));
        result.push_back(value);
        at = next;
        while (at < end && *at == ' ') ++at;
      }
    }
    if (result.size() != count)
      refuse(fmt::format("\"{}\" has {} numbers, but must have {}.", key, result.size(), count));
    return result;
  }

  double number(const std::string& key, double absent) const {
    return values_.contains(key) ? numbers(key, 1)[0] : absent;
  }

 private:
  std::map<std::string, std::string_view> values_;
};

class LightgbmTreeReader {
 public:
  explicit LightgbmTreeReader(const TreeText& text) {
    const double leaves = text.number("num_leaves", 0);
    if (!(leaves >= 1 && leaves <= 1e6) || leaves != std::floor(leaves))
      refuse("a tree has no valid number of leaves.");
    if (text.number("num_cat", 0) != 0) refuse("it has categorical splits, which are not supported.");
    if (text.number("is_linear", 0) != 0) refuse("it has linear leaves, which are not supported.");
    const auto n_leaves = static_cast<std::size_t>(leaves);
    values_ = text.numbers("leaf_value", n_leaves);
    const std::size_t n_splits = n_leaves - 1;
    if (n_splits == 0) return;
    leaf_cover_ = text.numbers("leaf_weight", n_leaves);
    feature_ = text.numbers("split_feature", n_splits);
    threshold_ = text.numbers("threshold", n_splits);
    decision_ = text.numbers("decision_type", n_splits);
    left_ = text.numbers("left_child", n_splits);
    right_ = text.numbers("right_child", n_splits);
    cover_ = text.numbers("internal_weight", n_splits);
  }

  Tree read(std::int32_t component) const {
    Tree tree;
    tree.component = component;
    tree.nodes.resize(1);
    add(tree, feature_.empty() ? -1.0 : 0.0, 0, 0);
    return tree;
  }

 private:
  /// `from`: a split counted from 0, or ~leaf.
  void add(Tree& tree, double from, std::size_t place, int depth) const {
    const auto limit = static_cast<double>(feature_.size());
    if (from != std::floor(from) || from >= limit || -from > limit + 1 || depth > kMaxTreeDepth ||
        tree.nodes.size() > 2 * feature_.size() + 1) {  // refuses nodes that are reached twice, which would be copied
      refuse("a tree has a child that does not exist or has two parents, or is too deep.");
    }
    Node node;
    if (from < 0) {
      const auto leaf = static_cast<std::size_t>(-from) - 1;
      node.leaf = static_cast<std::int32_t>(tree.leaf_values.size());
      node.cover = leaf_cover_.empty() ? 0.0F : static_cast<float>(leaf_cover_[leaf]);
      tree.leaf_values.push_back(static_cast<float>(values_[leaf]));
      tree.nodes[place] = node;
      return;
    }
    const auto split = static_cast<std::size_t>(from);
    constexpr int kDefaultLeft = 2;
    constexpr int kMissingIsNaN = 2;
    const auto decision = static_cast<int>(decision_[split]);
    if (!(feature_[split] >= 0 && feature_[split] <= std::numeric_limits<std::int32_t>::max())) {
      refuse("a tree has a split on a feature that does not exist.");
    }
    node.feature = static_cast<std::int32_t>(feature_[split]);
    node.threshold = next_above(threshold_[split]);
    // If training had no missing value, LightGBM treats one as 0.
    const bool learned = ((decision >> 2) & 3) == kMissingIsNaN;
    node.default_left = learned ? (decision & kDefaultLeft) != 0 : 0 <= threshold_[split];
    node.cover = static_cast<float>(cover_[split]);
    node.left = static_cast<std::int32_t>(tree.nodes.size());
    node.right = node.left + 1;
    tree.nodes.resize(tree.nodes.size() + 2);
    tree.nodes[place] = node;
    add(tree, left_[split], static_cast<std::size_t>(node.left), depth + 1);
    add(tree, right_[split], static_cast<std::size_t>(node.right), depth + 1);
  }

  std::vector<double> values_, leaf_cover_, feature_, threshold_, decision_, left_, right_, cover_;
};

}  // namespace

Encoder trees_of_lightgbm(std::string_view text, Index n_components) {
  Encoder encoder;
  TreeText tree;
  bool inside = false;
  const auto close = [&] {
    if (!inside) return;
    const auto component = static_cast<std::int32_t>(static_cast<Index>(encoder.size()) % n_components);
    encoder.push_back(LightgbmTreeReader(tree).read(component));
    tree = {};
  };
  if (!text.starts_with("tree\n")) refuse("it does not begin with \"tree\".");
  bool ended = false;
  for (std::size_t at = 0; at < text.size() && !ended;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("Tree=")) {
      close();
      inside = true;
    } else if (line == "end of trees") {
      ended = true;
    } else if (inside) {
      tree.add(line);
    }
  }
  if (!ended) refuse("it ends before \"end of trees\".");
  close();
  return encoder;
}

}  // namespace treecca
