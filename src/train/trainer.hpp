// The boosting rounds: moments -> targets -> grow -> update, for all views and folds.
//
// Each view has F encoders (one without cross-fitting); encoder f never sees the rows of fold f. All moments, targets
// and curves are made from the out-of-fold embedding: row i as embedded by the encoder that never saw it, plus the
// fading start, centred within its fold.
#pragma once

#include <vector>

#include "engines/engine.hpp"
#include "objective/correlations.hpp"
#include "objective/moments.hpp"
#include "samples/folds.hpp"
#include "samples/weights.hpp"
#include "support/stage_clock.hpp"
#include "support/threads.hpp"
#include "train/start.hpp"
#include "treecca/fit.hpp"

namespace treecca {

class Trainer {
 public:
  /// `parameters` without "auto" values; everything by reference must outlive the trainer.
  Trainer(const Parameters& parameters, std::vector<Start> starts, const Folds& folds, const RowWeights& weights,
          Engine& engine, const FitOptions& options, StageClock& clock);

  /// Runs all rounds, or until early stopping; afterwards the state is that of the rounds kept, start faded out.
  void run();

  Index rounds() const { return rounds_; }
  const History& history() const { return history_; }
  /// Of the out-of-fold embeddings, all views stacked.
  const Moments& moments() const { return moments_; }
  /// What the fit may claim about new rows. When a round was chosen, every fold is judged by the round that the other
  /// folds would have chosen. Needs cross-fitting. `rotate`: judge the components after a rotation, or as they are.
  ComponentCorrelations out_of_fold_correlations(bool rotate) const;
  /// Encoder f of view v; moves the trees out for the model.
  EncoderState& encoder(Index view, int fold) { return encoders_[view * folds_.count + fold]; }
  /// N x K out-of-fold embedding of a view, centred within folds.
  Matrix<float> out_of_fold(Index view) const;
  /// N x K mean of the view's encoders.
  Matrix<float> in_sample(Index view) const;

 private:
  void assemble(Index view);
  void refresh_all();
  void refresh_view(Index view);
  void make_scores(Index view);
  const Matrix<float>* target_of(Index view);
  void boost_views(Index round, Index first, Index last);
  std::vector<Matrix<float>> ey_gradients(Index first, Index last);
  Matrix<float> centred_encoder(Index view, int fold);
  void record();

  Index n_views() const { return static_cast<Index>(starts_.size()); }

  const Parameters& parameters_;
  std::vector<Start> starts_;
  const Folds& folds_;
  const RowWeights& weights_;
  Engine& engine_;
  const FitOptions& options_;
  StageClock& clock_;
  Threads threads_;
  Folds whole_;  // one fold of all rows: for what is measured in-sample

  std::vector<EncoderState> encoders_;      // view-major: view * folds + fold
  std::vector<Matrix<float>> scores_;       // per view: out-of-fold embedding, centred; whitened for that objective
  std::vector<Matrix<float>> targets_;      // per view; only used for more than two views
  std::vector<Eigen::MatrixXd> variances_;  // per view: V_v of what scores_ was made from
  Moments moments_;
  History history_;
  // Only with early stopping: what every round is chosen by, and (when components are not rotated) judged by.
  std::vector<FoldCovariances> chosen_by_;
  std::vector<FoldCovariances> judged_by_;
  double weight_ = 0;  // of the start
  Index rounds_ = 0;
};

}  // namespace treecca
