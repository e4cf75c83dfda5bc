// The interface between the method and a tree library, which grows the trees.
//
// The trainer chooses the target of every encoder; an engine adds one tree (joint) or one tree per trained component
// (scalar) to each encoder. Embeddings are up to date after `boost`. If rows change every round, the trainer predicts
// them instead.
#pragma once

#include <span>
#include <vector>

#include "data/binning.hpp"
#include "data/feature_sets.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/engines.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"
#include "treecca/parameters.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// The inputs that every engine is constructed from; references must outlive it.
struct EngineInput {
  const std::vector<View>& views;
  const std::vector<BinnedView>& bins;  // of the views
  const Parameters& parameters;         // without "auto" values
  const Folds& folds;
  const FeatureSets& kept;
  const EngineParams& engine_params;
  Threads threads;
  bool rows_change = false;  // the bins hold different rows in every round
};

/// The state of one encoder in training, for view `view` without the rows of fold `fold` (if folds are held out).
struct EncoderState {
  Index view = 0;
  int fold = 0;
  Matrix<float> embedding;  // N x W: the sum of the trees so far, for all rows
  Encoder trees;            // round-major; one or W per round
};

/// One round's work for one encoder: fit the gradient current - target (if target is null, current is the gradient).
/// `current` may be the encoder's own embedding.
struct GrowJob {
  EncoderState* encoder = nullptr;
  const Matrix<float>* current = nullptr;
  const Matrix<float>* target = nullptr;
};

class Engine {
 public:
  virtual ~Engine() = default;

  /// Adds the trees of round `round` to every job's encoder. Jobs are independent of each other.
  virtual void boost(Index round, std::span<const GrowJob> jobs) = 0;

  /// Called once per encoder after the last round; afterwards its `trees` are complete.
  virtual void finish(EncoderState& /*encoder*/) {}

  /// After finish: drops all trees after the first `rounds` rounds and restores the embedding after these rounds.
  /// `base` (or null for zeros) is the embedding before the first tree.
  virtual void rewind(EncoderState& encoder, Index rounds, const Matrix<float>* base) = 0;

  /// The bins on which the trees of a view are grown; null if the engine does not use bins.
  virtual const BinnedView* bins(Index /*view*/) const { return nullptr; }
};

}  // namespace treecca
