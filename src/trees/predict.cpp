#include "trees/predict.hpp"

#include <algorithm>

#include "support/parallel.hpp"
#include "trees/leaf_numbers.hpp"

namespace treecca {

void add_tree(const Tree& tree, const BinnedView& view, Matrix<float>& embedding) {
  LeafNumbers(tree, view).add_values(tree, 0, embedding.rows(), embedding);
}

Predictor::Predictor(std::span<const Encoder> encoders, Index n_components, const Kernels& use)
    : use_(use), n_components_(n_components) {
  for (const Encoder& encoder : encoders) {
    for (const Tree& tree : encoder) {
      for (const Node& node : tree.nodes) {
        if (!node.is_leaf()) used_.push_back(node.feature);
      }
    }
  }
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
  for (const Encoder& encoder : encoders) {
    for (const Tree& tree : encoder) compile(tree);
    encoder_end_.push_back(trees_.size());
  }
}

void Predictor::compile(const Tree& tree) {
  const Index width = tree.component < 0 ? n_components_ : 1;
  const std::size_t root = nodes_.size();
  trees_.push_back({root, tree.nodes.size(), tree.component});
  largest_tree_ = std::max(largest_tree_, tree.nodes.size());
  nodes_.resize(root + tree.nodes.size());
  std::vector<std::int32_t> from{0};  // position in the compiled tree -> node of the tree
  for (std::uint32_t place = 0; place < from.size(); ++place) {
    const Node& node = tree.nodes[from[place]];
    WalkNode& to = nodes_[root + place];
    if (node.is_leaf()) {
      to = {0.0F, -1, 0, true, static_cast<std::uint32_t>(leaves_.size())};
      const float* value = tree.leaf_values.data() + node.leaf * width;
      leaves_.insert(leaves_.end(), value, value + width);
    } else {
      const auto used = std::lower_bound(used_.begin(), used_.end(), Index{node.feature}) - used_.begin();
      to = {node.threshold, static_cast<std::int32_t>(used * kBlockRows), static_cast<std::uint32_t>(from.size()),
            node.default_left, 0};
      if (node.level_set >= 0) {
        const auto& words = tree.level_sets[static_cast<std::size_t>(node.level_set)].words;
        level_sets_.insert(level_sets_.end(), words.begin(), words.end());
        to.leaf = static_cast<std::uint32_t>(level_sets_.size() / kLevelWords);
      }
      from.push_back(node.left);
      from.push_back(node.right);
    }
  }
}

void Predictor::embed(const MatrixView& values, Index begin, Index end, double* out) const {
  const auto n_used = static_cast<Index>(used_.size());
  const Index k = n_components_;
  std::vector<float> block(static_cast<std::size_t>(kBlockRows * n_used), 0.0F);  // feature by feature
  std::vector<float> sums(static_cast<std::size_t>(kBlockRows * k));
  std::vector<std::uint64_t> masks(largest_tree_);
  std::uint32_t leaf_of_row[kBlockRows];
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, encoder_end_.size()));
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
        const Index first = std::max(0, tree.component);
        const Index width = tree.component < 0 ? k : 1;
        use_.walk(nodes_.data() + tree.root, tree.size, level_sets_.data(), block.data(), masks.data(), leaf_of_row);
        for (Index i = 0; i < rows; ++i) {
          float* sum = sums.data() + i * k + first;
          const float* leaf = leaves_.data() + leaf_of_row[i];
          for (Index c = 0; c < width; ++c) sum[c] += leaf[c];
        }
      }
      for (Index i = 0; i < rows * k; ++i) mean[i] += static_cast<double>(sums[i]);
    }
    for (Index i = 0; i < rows * k; ++i) mean[i] *= share;
  }
}

Matrix<float> embed_rows(const Predictor& predictor, const MatrixView& values, Index n_components, Threads threads,
                         const AddToRows& add) {
  Matrix<float> embedding(values.rows(), n_components);
  parallel_blocks(values.rows(), 4 * Predictor::kBlockRows, threads, [&](Index begin, Index end) {
    std::vector<double> sums(static_cast<std::size_t>((end - begin) * n_components));
    predictor.embed(values, begin, end, sums.data());
    if (add) add(begin, end, sums.data());
    std::transform(sums.begin(), sums.end(), embedding.row(begin), [](double x) { return static_cast<float>(x); });
  });
  return embedding;
}

}  // namespace treecca
