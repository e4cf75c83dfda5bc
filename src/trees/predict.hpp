// Embeds rows with grown trees: from bin codes (training rows) and from raw values (new rows).
//
// Raw prediction compiles a view's encoders once (only the features that are used, siblings adjacent) and sends blocks
// of rows through them together (kernels.hpp), so that a block's values and a tree's nodes stay in the cache. A few
// rows walk the trees as they are: compiling would take longer. Leaves are added in the order of the trees, in single
// precision, as in training: a training row gets exactly the same bits again, either way. Thread-safe for reading.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/binning.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/tree.hpp"
#include "trees/kernels.hpp"

namespace treecca {

/// Adds one tree to the embedding (N x W) of the rows of a binned view.
void add_tree(const Tree& tree, const BinnedView& view, Matrix<float>& embedding);

/// Mean over the encoders of the sum of their leaves, for rows [begin, end) of `values` (p_v columns); out has
/// (end - begin) * W doubles, row-major. Walks the trees as they are, row by row: for few rows.
void embed_by_walking(std::span<const Encoder> encoders, Index n_components, const MatrixView& values, Index begin,
                      Index end, double* out);

class Predictor {
 public:
  Predictor(std::span<const Encoder> encoders, Index n_components, const Kernels& use = kernels());
  explicit Predictor(const PartModel& part, const Kernels& use = kernels())
      : Predictor(part.encoders, part.rotation.rows(), use) {}

  /// Mean over the encoders of the sum of their leaves, for rows [begin, end) of `values` (p_v columns); out has
  /// (end - begin) * W doubles, row-major.
  void embed(const MatrixView& values, Index begin, Index end, double* out) const;

  Index trees() const { return static_cast<Index>(trees_.size()); }

  static constexpr Index kBlockRows = kWalkRows;

 private:
  struct CompiledTree {
    std::size_t root;        // into nodes_
    std::size_t size;        // number of nodes
    std::int32_t component;  // -1: all
  };

  /// `order`: any vector; it becomes the nodes of the tree by their new places.
  void compile(const Tree& tree, const std::vector<std::int32_t>& columns, std::vector<std::int32_t>& order);

  const Kernels& use_;
  Index n_components_;
  Index lanes_;              // n_components_, rounded up to what is added at once
  std::vector<Index> used_;  // features that some split tests, ascending
  std::vector<WalkNode> nodes_;
  std::vector<std::uint64_t> level_sets_;  // kLevelWords for each
  std::vector<float> leaves_;
  std::vector<CompiledTree> trees_;
  std::vector<std::size_t> encoder_end_;  // offsets into trees_
  std::size_t largest_tree_ = 0;
};

/// Adds to the embeddings of rows [begin, end): (end - begin) * W doubles, row-major.
using AddToRows = std::function<void(Index begin, Index end, double* sums)>;

/// Embeds every row of `values`, N x W in single precision. `add` (or null), for a base margin, is called from several
/// threads, each with different rows.
Matrix<float> embed_rows(const Predictor& predictor, const MatrixView& values, Index n_components, Threads threads,
                         const AddToRows& add = {});

/// The same bits from trees that are not compiled. A few rows walk the trees as they are; for more, it compiles them.
Matrix<float> embed_rows(std::span<const Encoder> encoders, const MatrixView& values, Index n_components,
                         Threads threads, const AddToRows& add = {});

}  // namespace treecca
