// Grows one tree: histograms, split search, partition; one loop for scalar and vector leaves.
//
// Second-order gain with unit Hessians: a split gains |G_L|^2/(n_L+lambda) + |G_R|^2/(n_R+lambda) - |G|^2/(n+lambda),
// a leaf has the value -learning_rate * G/(n+lambda). Nodes are split while the gain is positive, down to max_depth.
// Without a limit on leaves the order of expansion does not change the tree, so nodes are visited depth first: only
// max_depth + 2 histograms exist at a time. The heavier child's histogram is the parent's minus the lighter child's.
// A Grower is a workspace: one per concurrent tree, made once, reused for every tree; `grow` allocates only for
// categories (level_split.hpp).
// The result is the same for any number of threads and any kernel set, and for rows distributed in any way over several
// processes, which add up their histograms (peers). Nodes hold the sums of all rows of all processes.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "data/binning.hpp"
#include "samples/peers.hpp"
#include "support/threads.hpp"
#include "treecca/tree.hpp"
#include "trees/gradients.hpp"
#include "trees/kernels.hpp"
#include "trees/leaf_numbers.hpp"

namespace treecca {

struct GrowSettings {
  Index max_depth = 4;
  double min_child_weight = 1;  // rows (their weight) in a child; a child is never empty
  double reg_lambda = 1;
  double learning_rate = 0.1;
  bool short_leaves = false;  // leaf values of four to five decimal digits, for small files
};

/// Rounds a leaf value to the form that is stored.
float leaf_value(double value, const GrowSettings& settings);

/// A grown tree over bin codes: `rows[begin, end)` of the grower are the training rows of the node,
/// `rows[other_begin, other_end)` the others that reach it.
struct GrownNode {
  Index feature = -1;  // -1: leaf
  int bin = -1;        // codes <= bin go left ...
  int missing = -1;    // ... and this code where missing_left says
  bool missing_left = true;
  int left = -1;
  int right = -1;
  int leaf = -1;
  Index begin = 0;
  Index end = 0;
  Index other_begin = 0;
  Index other_end = 0;
  double weight = 0;          // sum over all its rows
  bool category = false;      // instead of `bin`:
  LevelSet left_levels = {};  // codes that go left

  bool goes_left(int code) const {
    if (category) return code == missing ? missing_left : left_levels.contains(static_cast<std::size_t>(code));
    return code <= bin || (missing_left && code == missing);
  }
};

/// The first rows of a grower train the tree; the others behind them only follow its splits.
struct RowCounts {
  Index training;
  Index others;

  RowCounts(Index n_training, Index n_others = 0)  // NOLINT: implicit on purpose, most trees have no other rows
      : training(n_training), others(n_others) {}
};

class Grower {
 public:
  virtual ~Grower() = default;

  /// Space for the rows, training rows first, both kinds ascending: fill it before grow, which reorders them.
  virtual std::span<RowIndex> rows() = 0;

  /// Grows a tree on the training rows, using `features` (ascending). If all gradients are zero: a single leaf.
  /// Failure: Error if a gradient is not finite.
  virtual void grow(const BinnedView& view, const GradientSource& gradients, RowCounts counts,
                    std::span<const Index> features, const GrowSettings& settings, Threads threads,
                    const Peers& peers = {}) = 0;

  /// The tree just grown: nodes[0] is the root; siblings are adjacent and come after their parent.
  virtual std::span<const GrownNode> nodes() const = 0;
  /// leaves x width.
  virtual std::span<const float> leaf_values() const = 0;
};

/// A workspace for trees of `width` outputs (`vector_leaves` chooses the layout; scalar has width 1) on views of at
/// most `max_rows` rows, of at most `max_units` units of weight together (0: as many as rows), and `max_entries`
/// histogram entries (sum over drawn features of bins + 1). `total_rows`: in all processes (0: as many as here).
std::unique_ptr<Grower> make_grower(bool vector_leaves, Index width, Index max_rows, Index max_features,
                                    Index max_entries, Index max_depth, Index max_units = 0, Index total_rows = 0,
                                    const Kernels& use = kernels());

/// Converts the grown tree to raw thresholds, for the model. leaf_values: leaves x width, the grower's own or others
/// (leaf_values.hpp).
Tree to_tree(const Grower& grown, std::span<const float> leaf_values, const BinnedView& view, Index component);
inline Tree to_tree(const Grower& grown, const BinnedView& view, Index component) {
  return to_tree(grown, grown.leaf_values(), view, component);
}

/// Notes down the leaf of each of the grower's rows. Together its training rows and others are the `n_rows` rows of the
/// view.
void number_leaves(Grower& grown, Index n_rows, LeafNumbers& numbers);

}  // namespace treecca
