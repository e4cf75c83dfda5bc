// Leaf sweeps: refits the leaf values of all trees after the last boosting round (fully corrective boosting).
//
// Targets change while the trees are grown, so the values of earlier leaves become outdated. A sweep visits the trees
// of every encoder in random order and moves each leaf towards the residual of the target (N x W, fixed during the
// sweep):
//     value += rate * sum(weight * (target - embedding)) / (sum(weight) + ridge)
// over the rows of the leaf that the encoder trains on. Splits do not change. Components do not influence each other,
// so the unit of work is a chain: the trees of one encoder for a block of columns (joint) or for one column (scalar). A
// chain sums in the order of the rows, so the result has the same bits for any number of threads. With rows in several
// processes, sums over leaves are exchanged, one message per tree for all chains together.
// Memory: the leaf number of every row in every tree, in one byte up to 256 leaves, else in two; 200 rounds of 6
// encoders on 54,000 rows take 65 MB with joint trees. Per thread: N x 16 floats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/binning.hpp"
#include "engines/engine.hpp"
#include "samples/folds.hpp"
#include "support/random.hpp"
#include "support/threads.hpp"
#include "trees/leaf_numbers.hpp"

namespace treecca {

/// leaf_sweeps = auto stops when the out-of-fold TCC no longer rises, at the latest after this number of sweeps.
inline constexpr Index kMaxAutoSweeps = 6;

class LeafSweeps {
 public:
  static constexpr double kRate = 0.1;
  static constexpr double kRidge = 50;  // in rows

  /// An encoder, the bins that its trees were grown on, and its embedding before the first tree (null: zeros).
  struct Swept {
    EncoderState* state = nullptr;
    const BinnedView* bins = nullptr;
    const Matrix<float>* base = nullptr;
  };
  /// Leaf values per encoder and tree.
  using State = std::vector<std::vector<std::vector<float>>>;

  /// Collective. All pointers and `folds` must outlive it.
  LeafSweeps(std::vector<Swept> encoders, const Folds& folds, std::uint64_t seed, Threads threads);

  /// Sweep number `number` (the key of the order of the trees). targets: per view, N x W. Afterwards the embeddings are
  /// the sums of the trees, added in the order of the trees, as in prediction. Collective. Failure: Interrupted.
  void sweep(Index number, std::span<const Matrix<float>* const> targets);

  /// Returns the current leaf values, or restores earlier leaf values and the embeddings.
  State state() const;
  void restore(const State& state);

 private:
  /// The trees of an encoder that add to columns [first, first + width).
  struct Chain {
    std::size_t encoder;
    Index first;
    Index width;
    std::vector<std::size_t> trees;  // in the order of the rounds
  };

  void make_chains(std::size_t encoder);
  void number_leaves();
  void weigh_leaves();
  Threads threads_for(double passes) const;
  template <int kLanes>
  void sweep_chain(const Chain& chain, const Matrix<float>& target, const RandomKey& order, const Peers& peers);
  template <int kLanes>
  void embed_chain(const Chain& chain);
  void embed();

  std::vector<Swept> encoders_;
  const Folds& folds_;
  std::uint64_t seed_;
  Threads threads_;
  std::vector<std::vector<RowIndex>> rows_;                // per encoder: the rows it trains on
  std::vector<std::vector<LeafNumbers>> leaves_;           // per encoder and tree
  std::vector<std::vector<std::vector<double>>> weights_;  // per encoder and tree: of the leaves' training rows
  std::vector<Chain> chains_;
};

}  // namespace treecca
