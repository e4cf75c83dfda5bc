// The boosting rounds: moments -> targets -> grow -> update, for all views and folds.
//
// Each view has F encoders (one without cross-fitting); encoder f is trained without the rows of fold f. All moments,
// targets and curves come from the out-of-fold embedding. Each row is embedded by the encoder that was trained without
// it; the fading initial values are added. The sum is adjusted for covariates (objective/adjustment.hpp) and centred
// within its fold. So targets, and therefore trees, are free of covariate effects. A row that lacks views gets its
// target from its other views; a row with a single view has no target, and no tree learns from it.
//
// With one table, two augmented copies of its rows act as two views, and one shared encoder embeds both. Four things
// differ: copies change every round, so embeddings are predicted instead of updated; means and covariances are pooled
// over the copies; initial values are used in training but not in correlations; the gradients of both copies are
// stacked or averaged.
#pragma once

#include <vector>

#include "engines/engine.hpp"
#include "objective/moments.hpp"
#include "samples/folds.hpp"
#include "support/run.hpp"
#include "train/augmented_copies.hpp"
#include "train/embeddings.hpp"
#include "train/trained.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

class Trainer {
 public:
  /// `parameters` without "auto" values. starts: N x W initial values per view (one for a table). copies: null for
  /// views. covariates: N x d per view, or empty. All references must outlive the trainer; folds and covariates must
  /// also outlive the adjustments in `trained`.
  Trainer(const Parameters& parameters, std::vector<Matrix<float>> starts, const Folds& folds, Engine& engine, Run& run,
          Curves curves = Curves::all, AugmentedCopies* copies = nullptr,
          const std::vector<const Matrix<double>*>& covariates = {});

  /// Runs all rounds, or until early stopping, then the leaf sweeps (leaf_sweeps.hpp), and moves the results into
  /// `trained`: encoders, moments, history, rounds, the choice among rounds. The results describe the model after the
  /// rounds kept, with the initial values faded out. Call once.
  void run(Trained& trained);

 private:
  Index n_views() const { return static_cast<Index>(scores_.size()); }
  Index n_encoders() const { return static_cast<Index>(starts_.size()); }
  /// The encoder that embeds a view: its own, or the shared one.
  Index encoder_of(Index view) const { return copies_ == nullptr ? view : 0; }
  EmbeddedView embedded(Index view) const {
    const auto folds = static_cast<std::size_t>(folds_.count);
    return {std::span(encoders_).subspan(static_cast<std::size_t>(encoder_of(view)) * folds, folds),
            copies_ == nullptr ? 0 : view * folds_.rows()};
  }

  double start_weight() const;
  void redraw();
  void assemble(Index view, double start_weight);
  Moments assembled_moments(double start_weight);
  void refresh_all();
  void refresh_view(Index view);
  void make_scores(Index view);
  /// False if there are two views and no row lacks a view: each view is then the other's target.
  bool makes_targets() const { return n_views() > 2 || !folds_.samples->complete(); }
  const Matrix<float>* target_of(Index view);
  void boost_views(Index round, Index first, Index last);
  std::vector<Matrix<float>> gradients_of(Index first, Index last);
  Matrix<float> encoder_rows(Index view, int fold, double start_weight, const double* mean) const;
  Matrix<float> ey_gradient_of(const Matrix<float>& z, Index view) const;
  Matrix<float> gradient_of(Index view, int fold);
  Moments in_sample_moments() const;
  bool measures_now() const;
  double measure(bool candidate);
  void record();
  const Matrix<float>* base_of(const EncoderState& encoder) const;
  void sweep_leaves();

  const Parameters& parameters_;
  std::vector<Matrix<float>> starts_;
  const Folds& folds_;
  Engine& engine_;
  Run& run_;
  Curves curves_;
  AugmentedCopies* copies_;
  Threads threads_;
  Folds whole_;                                    // all rows that are in a fold, as one fold: for in-sample
                                                   // correlations
  std::vector<Adjustment> adjustments_;            // per view, or empty: of the out-of-fold embeddings
  std::vector<Adjustment> in_sample_adjustments_;  // the same on all rows

  std::vector<EncoderState> encoders_;      // encoder-major: encoder * folds + fold
  std::vector<Matrix<float>> scores_;       // per view: out-of-fold embedding, centred; whitened for that objective
  std::vector<Matrix<float>> targets_;      // per view; only if makes_targets()
  std::vector<Eigen::MatrixXd> variances_;  // per view: V_v of what scores_ was made from
  Moments moments_;                         // of the out-of-fold embeddings with the initial values
  Moments measured_;                        // one table: without the initial values; else empty
  History history_;
  std::vector<FoldCovariances> by_round_;
  std::vector<FoldCovariances> unrotated_by_round_;
  double weight_ = 0;  // of the initial values
  Index rounds_ = 0;
  Index sweeps_ = 0;  // kept
};

}  // namespace treecca
