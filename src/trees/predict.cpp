#include "trees/predict.hpp"

#include <algorithm>

#include "support/parallel.hpp"
#include "trees/leaf_numbers.hpp"

namespace treecca {

void add_tree(const Tree& tree, const BinnedView& view, Matrix<float>& embedding) {
  LeafNumbers(tree, view).add_values(tree, 0, embedding.rows(), embedding);
}

namespace {

template <class Use>
void for_each_split(std::span<const Encoder> encoders, Use&& use) {
  for (const Encoder& encoder : encoders) {
    for (const Tree& tree : encoder) {
      for (const Node& node : tree.nodes) {
        if (!node.is_leaf()) use(node);
      }
    }
  }
}

/// Walks one row down some trees in step, without branches that depend on its values: a walk waits for memory at every
/// node, and the processor overlaps the walks. leaves[t] becomes the leaf of tree t.
template <int kTrees>
void walk_row(const Tree* trees, const MatrixView& values, Index row, std::int32_t* leaves) {
  const Node* nodes[kTrees];
  std::int32_t at[kTrees] = {};
  for (int t = 0; t < kTrees; ++t) nodes[t] = trees[t].nodes.data();
  for (bool any_split = true; any_split;) {
    any_split = false;
#pragma GCC unroll 8
    for (int t = 0; t < kTrees; ++t) {
      const Node& node = nodes[t][at[t]];
      const bool split = !node.is_leaf();
      const float value = values(row, std::max(0, node.feature));
      bool left = (value < node.threshold) | (node.default_left & !(value >= node.threshold));
      if (node.level_set >= 0) left = trees[t].goes_left(node, value);
      const std::int32_t child = left ? node.left : node.right;
      at[t] = split ? child : at[t];
      any_split |= split;
    }
  }
  for (int t = 0; t < kTrees; ++t) leaves[t] = nodes[t][at[t]].leaf;
}

/// Adds the leaves of one row to `sums` (W numbers), in the order of the trees.
void add_leaves(const Encoder& encoder, const MatrixView& values, Index row, std::vector<float>& sums) {
  constexpr std::size_t kTogether = 8;
  std::int32_t leaves[kTogether];
  for (std::size_t begin = 0; begin < encoder.size(); begin += kTogether) {
    const Tree* trees = encoder.data() + begin;
    const std::size_t n = std::min(kTogether, encoder.size() - begin);
    if (n == kTogether) {
      walk_row<kTogether>(trees, values, row, leaves);
    } else {
      for (std::size_t t = 0; t < n; ++t) walk_row<1>(trees + t, values, row, leaves + t);
    }
    for (std::size_t t = 0; t < n; ++t) {
      const Index width = trees[t].component < 0 ? static_cast<Index>(sums.size()) : 1;
      const float* leaf = trees[t].leaf_values.data() + leaves[t] * width;
      float* sum = sums.data() + std::max(0, trees[t].component);
      for (Index c = 0; c < width; ++c) sum[c] += leaf[c];
    }
  }
}

/// Numbers that are added at once.
constexpr Index kAddedAtOnce = 4;
using Float4 = float __attribute__((vector_size(16), aligned(4), may_alias));

/// Adds the leaf of every row, which begins at leaf_of_row[i] in `leaves`, to the sums of the row: `lanes` numbers
/// each.
void add_lanes(const float* leaves, const std::uint32_t* leaf_of_row, Index rows, Index lanes, float* sums) {
  for (Index i = 0; i < rows; ++i, sums += lanes) {
    const float* leaf = leaves + leaf_of_row[i];
    for (Index c = 0; c < lanes; c += kAddedAtOnce) {
      *reinterpret_cast<Float4*>(sums + c) += *reinterpret_cast<const Float4*>(leaf + c);
    }
  }
}

/// `embed` sets the sums of a block of rows, and `add` (or null) adds to them.
Matrix<float> embed_blocks(Index rows, Index n_components, Threads threads, const AddToRows& add,
                           const AddToRows& embed) {
  Matrix<float> embedding(rows, n_components);
  parallel_blocks(rows, 4 * Predictor::kBlockRows, threads, [&](Index begin, Index end) {
    std::vector<double> sums(static_cast<std::size_t>((end - begin) * n_components));
    embed(begin, end, sums.data());
    if (add) add(begin, end, sums.data());
    std::transform(sums.begin(), sums.end(), embedding.row(begin), [](double x) { return static_cast<float>(x); });
  });
  return embedding;
}

double share_of(std::size_t encoders) { return 1.0 / static_cast<double>(std::max<std::size_t>(1, encoders)); }

}  // namespace

void embed_by_walking(std::span<const Encoder> encoders, Index n_components, const MatrixView& values, Index begin,
                      Index end, double* out) {
  std::vector<float> sums(static_cast<std::size_t>(n_components));
  for (Index row = begin; row < end; ++row, out += n_components) {
    std::fill(out, out + n_components, 0.0);
    for (const Encoder& encoder : encoders) {
      std::fill(sums.begin(), sums.end(), 0.0F);
      add_leaves(encoder, values, row, sums);
      for (Index c = 0; c < n_components; ++c) out[c] += static_cast<double>(sums[static_cast<std::size_t>(c)]);
    }
    for (Index c = 0; c < n_components; ++c) out[c] *= share_of(encoders.size());
  }
}

Predictor::Predictor(std::span<const Encoder> encoders, Index n_components, const Kernels& use)
    : use_(use), n_components_(n_components), lanes_((n_components + kAddedAtOnce - 1) / kAddedAtOnce * kAddedAtOnce) {
  std::vector<std::int32_t> columns;  // of every feature: where its values begin in a block; -1: not used
  for_each_split(encoders, [&](const Node& node) {
    const auto feature = static_cast<std::size_t>(node.feature);
    if (feature >= columns.size()) columns.resize(feature + 1, -1);
    columns[feature] = 0;
  });
  for (std::size_t feature = 0; feature < columns.size(); ++feature) {
    if (columns[feature] < 0) continue;
    columns[feature] = static_cast<std::int32_t>(static_cast<Index>(used_.size()) * kBlockRows);
    used_.push_back(static_cast<Index>(feature));
  }
  std::size_t n_nodes = 0, n_leaves = 0, n_trees = 0;
  for (const Encoder& encoder : encoders) {
    n_trees += encoder.size();
    for (const Tree& tree : encoder) {
      n_nodes += tree.nodes.size();
      n_leaves +=
          tree.component < 0 ? (tree.nodes.size() + 1) / 2 * static_cast<std::size_t>(lanes_) : tree.leaf_values.size();
    }
  }
  nodes_.reserve(n_nodes);
  leaves_.reserve(n_leaves);
  trees_.reserve(n_trees);
  std::vector<std::int32_t> order;
  for (const Encoder& encoder : encoders) {
    for (const Tree& tree : encoder) compile(tree, columns, order);
    encoder_end_.push_back(trees_.size());
  }
}

void Predictor::compile(const Tree& tree, const std::vector<std::int32_t>& columns, std::vector<std::int32_t>& order) {
  const Index width = tree.component < 0 ? n_components_ : 1;
  const Index lanes = tree.component < 0 ? lanes_ : 1;
  const std::size_t root = nodes_.size();
  const std::size_t first_leaf = leaves_.size();
  for (auto leaf = tree.leaf_values.begin(); leaf != tree.leaf_values.end(); leaf += width) {
    leaves_.insert(leaves_.end(), leaf, leaf + width);
    leaves_.resize(leaves_.size() + static_cast<std::size_t>(lanes - width), 0.0F);
  }
  trees_.push_back({root, tree.nodes.size(), tree.component});
  largest_tree_ = std::max(largest_tree_, tree.nodes.size());
  order.assign(1, 0);
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const Node& node = tree.nodes[static_cast<std::size_t>(order[place])];
    if (node.is_leaf()) {
      nodes_.push_back(
          {0.0F, -1, 0, true, static_cast<std::uint32_t>(first_leaf + static_cast<std::size_t>(node.leaf * lanes))});
      continue;
    }
    std::uint32_t level_set = 0;
    if (node.level_set >= 0) {
      const auto& words = tree.level_sets[static_cast<std::size_t>(node.level_set)].words;
      level_sets_.insert(level_sets_.end(), words.begin(), words.end());
      level_set = static_cast<std::uint32_t>(level_sets_.size() / kLevelWords);
    }
    nodes_.push_back({node.threshold, columns[static_cast<std::size_t>(node.feature)],
                      static_cast<std::uint32_t>(order.size()), node.default_left, level_set});
    order.push_back(node.left);
    order.push_back(node.right);
  }
}

void Predictor::embed(const MatrixView& values, Index begin, Index end, double* out) const {
  const auto n_used = static_cast<Index>(used_.size());
  const Index k = n_components_;
  std::vector<float> block(static_cast<std::size_t>(kBlockRows * n_used), 0.0F);  // feature by feature
  std::vector<float> sums(static_cast<std::size_t>(kBlockRows * lanes_));
  std::vector<std::uint64_t> masks(largest_tree_);
  std::uint32_t leaf_of_row[kBlockRows] = {};
  const double share = share_of(encoder_end_.size());
  for (Index from = begin; from < end; from += kBlockRows) {
    const Index rows = std::min(kBlockRows, end - from);
    for (Index i = 0; i < rows; ++i) {
      for (Index f = 0; f < n_used; ++f) block[f * kBlockRows + i] = values(from + i, used_[f]);
    }
    double* mean = out + (from - begin) * k;
    std::fill(mean, mean + rows * k, 0.0);
    std::size_t t = 0;
    for (const std::size_t encoder_end : encoder_end_) {
      std::fill(sums.begin(), sums.end(), 0.0F);
      for (; t < encoder_end; ++t) {
        const CompiledTree& tree = trees_[t];
        use_.walk(nodes_.data() + tree.root, tree.size, level_sets_.data(), block.data(), masks.data(), leaf_of_row);
        if (tree.component < 0) {
          add_lanes(leaves_.data(), leaf_of_row, rows, lanes_, sums.data());
        } else {
          float* sum = sums.data() + tree.component;
          for (Index i = 0; i < rows; ++i) sum[i * lanes_] += leaves_[leaf_of_row[i]];
        }
      }
      for (Index i = 0; i < rows; ++i) {
        for (Index c = 0; c < k; ++c) mean[i * k + c] += static_cast<double>(sums[i * lanes_ + c]);
      }
    }
    for (Index i = 0; i < rows * k; ++i) mean[i] *= share;
  }
}

Matrix<float> embed_rows(const Predictor& predictor, const MatrixView& values, Index n_components, Threads threads,
                         const AddToRows& add) {
  return embed_blocks(values.rows(), n_components, threads.for_work(values.rows() * predictor.trees()), add,
                      [&](Index begin, Index end, double* sums) { predictor.embed(values, begin, end, sums); });
}

Matrix<float> embed_rows(std::span<const Encoder> encoders, const MatrixView& values, Index n_components,
                         Threads threads, const AddToRows& add) {
  constexpr Index kFewRows = 20;  // compiling the trees takes as long as walking this number of rows
  if (values.rows() > kFewRows) {
    return embed_rows(Predictor(encoders, n_components), values, n_components, threads, add);
  }
  return embed_blocks(values.rows(), n_components, 1, add, [&](Index begin, Index end, double* sums) {
    embed_by_walking(encoders, n_components, values, begin, end, sums);
  });
}

}  // namespace treecca
