// Treelite's serialisation, format version 4 (treelite.readthedocs.io, "Notes on Serialization"): fields in sequence in
// little-endian order; an array is preceded by its length (64 bits).
#include <bit>
#include <concepts>
#include <cstring>
#include <type_traits>

#include "export/formats.hpp"

namespace treecca {
namespace {

constexpr std::uint8_t kFloat32 = 2;
constexpr std::uint8_t kRegressor = 1;
constexpr std::int8_t kNoOperator = 0;
constexpr std::int8_t kLessThan = 2;
constexpr std::int8_t kLeafNode = 0;
constexpr std::int8_t kNumericalTest = 1;
constexpr std::int8_t kCategoricalTest = 2;

class Writer {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void scalar(T value) {
    static_assert(std::endian::native == std::endian::little || sizeof(T) == 1);
    const auto at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  template <class Container>
  void array(const Container& values) {
    scalar(static_cast<std::uint64_t>(values.size()));
    for (const auto value : values) scalar(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void write_tree(Writer& out, const Tree& tree, const Levels& levels, Index n_outputs) {
  const std::size_t n = tree.nodes.size();
  const auto k = static_cast<std::size_t>(n_outputs);
  const bool vector_leaves = k > 1;
  std::vector<std::int8_t> type(n, kLeafNode), compare(n, kNoOperator);
  std::vector<std::int32_t> left(n, -1), right(n, -1), feature(n, -1);
  std::vector<std::uint8_t> default_left(n, 0);
  std::vector<float> leaf_value(n, 0.0F), threshold(n, 0.0F), leaf_vector;
  std::vector<std::uint64_t> vector_begin(n, 0), vector_end(n, 0);
  std::vector<std::uint32_t> left_levels;
  std::vector<std::uint64_t> levels_begin(n, 0), levels_end(n, 0);
  std::vector<double> cover(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = tree.nodes[i];
    cover[i] = node.cover;
    vector_begin[i] = leaf_vector.size();
    if (node.is_leaf()) {
      const float* leaf = tree.leaf_values.data() + static_cast<std::size_t>(node.leaf) * k;
      if (vector_leaves)
        leaf_vector.insert(leaf_vector.end(), leaf, leaf + k);
      else
        leaf_value[i] = *leaf;
    } else {
      type[i] = kNumericalTest;
      compare[i] = kLessThan;
      left[i] = node.left;
      right[i] = node.right;
      feature[i] = node.feature;
      threshold[i] = node.threshold;
      default_left[i] = node.default_left ? 1 : 0;
      if (node.level_set >= 0) {
        type[i] = kCategoricalTest;
        compare[i] = kNoOperator;
        levels_begin[i] = left_levels.size();
        const LevelSet& set = tree.level_sets[static_cast<std::size_t>(node.level_set)];
        for (std::uint32_t level = 0; level < levels[static_cast<std::size_t>(node.feature)].size(); ++level) {
          if (set.contains(level)) left_levels.push_back(level);
        }
        levels_end[i] = left_levels.size();
      }
    }
    vector_end[i] = leaf_vector.size();
  }
  out.scalar(static_cast<std::int32_t>(n));
  out.scalar(!tree.level_sets.empty());  // categorical splits
  out.array(type);
  out.array(left);
  out.array(right);
  out.array(feature);
  out.array(default_left);
  out.array(leaf_value);
  out.array(threshold);
  out.array(compare);
  const std::vector<std::uint8_t> no(n, 0), yes(n, 1);
  out.array(no);  // which child takes the listed categories
  out.array(leaf_vector);
  out.array(vector_begin);
  out.array(vector_end);
  out.array(left_levels);   // categories,
  out.array(levels_begin);  // where those of a node begin
  out.array(levels_end);    // and end
  const std::vector<std::uint8_t> unknown;
  out.array(std::vector<std::uint64_t>{});  // counts of rows
  out.array(unknown);
  out.array(cover);  // sums of Hessians
  out.array(yes);
  out.array(std::vector<double>{});  // gains
  out.array(unknown);
  out.scalar(std::int32_t{0});  // optional fields of the tree
  out.scalar(std::int32_t{0});  // and of its nodes
}

}  // namespace

std::string treelite_bytes(const FlatEnsemble& ensemble) {
  const auto k = static_cast<std::int32_t>(ensemble.n_outputs);
  const std::size_t n = ensemble.trees.size();
  Writer out;
  for (const std::int32_t part : {4, 4, 0}) out.scalar(part);  // the version of Treelite with this format
  out.scalar(kFloat32);                                        // of thresholds
  out.scalar(kFloat32);                                        // of leaves
  out.scalar(static_cast<std::uint64_t>(n));
  out.scalar(static_cast<std::int32_t>(ensemble.feature_names.size()));
  out.scalar(kRegressor);
  out.scalar(false);  // trees are summed, not averaged
  out.scalar(k);
  out.array(std::vector<std::int32_t>(static_cast<std::size_t>(k), 1));  // "classes" per output
  out.array(std::vector<std::int32_t>{k, 1});                            // shape of a leaf
  out.array(std::vector<std::int32_t>(n, k > 1 ? -1 : 0));               // output of a tree; -1: all
  out.array(std::vector<std::int32_t>(n, 0));                            // class of a tree
  out.array(std::string("identity"));                                    // transformation of the sums
  out.scalar(1.0F);
  out.scalar(1.0F);
  out.array(ensemble.intercept);
  out.array(std::string("{}"));  // attributes
  out.scalar(std::int32_t{0});   // optional fields
  for (const Tree& tree : ensemble.trees) write_tree(out, tree, ensemble.levels, ensemble.n_outputs);
  return out.take();
}

}  // namespace treecca
