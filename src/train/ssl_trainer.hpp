// The rounds of TreeCCA-SSL: draw two copies -> embed -> moments -> gradients -> grow, for one shared encoder.
//
// With cross-fitting there are F encoders, encoder f trained without the rows of fold f; as in trainer.hpp all moments
// and targets come from the out-of-fold embedding, centred within folds. The copies change every round, so embeddings
// cannot be carried on: every round embeds its copies with all trees grown so far.
// One encoder makes both copies' embeddings, so their means and covariances are pooled (symmetrised).
// The start belongs to the rows, not to the model, and both copies of a row share it: trees learn with it, but nothing
// is measured with it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "data/binning.hpp"
#include "engines/engine.hpp"
#include "objective/moments.hpp"
#include "samples/folds.hpp"
#include "samples/weights.hpp"
#include "data/feature_sets.hpp"
#include "support/stage_clock.hpp"
#include "treecca/ssl.hpp"

namespace treecca {

class SslTrainer {
 public:
  /// `view` from checked_view, `parameters` from resolved; everything by reference must outlive the trainer.
  SslTrainer(const View& view, const Parameters& parameters, const SslOptions& options, AugmentFunction augment,
             Threads threads, StageClock& clock);

  /// Runs all rounds; afterwards the latest copies are fresh ones.
  void run();

  Index rounds() const { return rounds_; }
  const Folds& folds() const { return folds_; }
  const History& history() const { return history_; }
  /// Of what the trees alone make of the latest copies, out of fold.
  const Moments& moments() const { return tree_moments_; }
  /// The mean of the encoders, on the latest copies.
  Moments in_sample_moments() const;
  /// The latest copies, N x p each.
  MatrixView copy(int c) const { return {copies_.row(c * rows_), rows_, copies_.cols()}; }
  /// Encoder f; its trees are moved out for the model.
  EncoderState& encoder(int fold) { return encoders_[static_cast<std::size_t>(fold)]; }

 private:
  void draw(Index round);
  void embed();
  Moments stack(double start_share);
  void assemble();
  Matrix<float> gradient_of(int fold, double scale);
  double ey_scale() const;
  void record();

  const View& view_;
  const Parameters& parameters_;
  const SslOptions& options_;
  AugmentFunction augment_;
  Threads threads_;
  StageClock& clock_;
  Index rows_;            // N
  Matrix<float> copies_;  // 2N x p: copy 0, then copy 1
  Folds folds_;           // of the N rows
  Folds engine_folds_;    // of the rows the trees learn from: N or 2N
  RowWeights no_weights_;
  std::vector<BinnedView> bins_;  // one: the rows the trees learn from
  std::vector<View> learned_;     // one: the same rows as they are
  FeatureSets all_features_;
  std::unique_ptr<Engine> engine_;
  Matrix<float> start_;                    // N x K, the same for both copies
  std::vector<EncoderState> encoders_;     // one per fold
  std::vector<Matrix<float>> embeddings_;  // per fold 2N x K: the trees alone, on the latest copies
  std::vector<Matrix<float>> scores_;      // per copy N x K: out of fold, centred; whitened for that objective
  Eigen::MatrixXd variance_;               // K x K, pooled over the copies
  Moments moments_;                        // of both copies, symmetrised, with the start
  Moments tree_moments_;                   // the same without it
  History history_;
  double start_share_ = 1;  // of the start in what the trees learn from
  Index rounds_ = 0;
};

}  // namespace treecca
