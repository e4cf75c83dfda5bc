// Two augmented copies of the rows of one table, drawn again in every round, which act as two views.
#pragma once

#include <vector>

#include "data/binning.hpp"
#include "samples/folds.hpp"
#include "support/stage_clock.hpp"
#include "support/threads.hpp"
#include "treecca/ssl.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// The rows that trees of one table learn from, and how they are augmented.
struct Redraw {
  AugmentFunction augment;
  SslRows rows = SslRows::stacked;
};

class AugmentedCopies {
 public:
  /// Draws the copies of round 0 and makes the bins from them; later copies use the same cuts. `view`, `redraw` and
  /// `folds` (of the view's N rows) must outlive it. Failure: as BinnedView, and the errors of the augmentation.
  AugmentedCopies(const View& view, const Redraw& redraw, Index max_bin, const Folds& folds, Threads threads,
                  StageClock& clock);
  AugmentedCopies(const AugmentedCopies&) = delete;
  AugmentedCopies& operator=(const AugmentedCopies&) = delete;

  /// Replaces the copies by copies of another round.
  void draw(Index round, StageClock& clock);

  /// 2N x p: copy 0, then copy 1.
  const Matrix<float>& rows() const { return rows_; }

  /// The rows that an engine learns from, as one view: both copies stacked (2N rows), or the first copy (N rows) with
  /// the mean gradient of both.
  bool stacked() const { return redraw_.rows == SslRows::stacked; }
  const std::vector<View>& learned() const { return learned_; }
  const std::vector<BinnedView>& bins() const { return bins_; }
  /// The gradient of the rows that are learned from, given the gradients of both copies (N x W each).
  Matrix<float> learned_gradient(const Matrix<float>& first, const Matrix<float>& second) const;
  /// Assigns both copies of a row to the same fold.
  const Folds& learned_folds() const { return learned_folds_; }

 private:
  const Redraw& redraw_;
  Threads threads_;
  Index n_;
  Matrix<float> rows_;
  Samples stacked_samples_;
  Folds learned_folds_;
  std::vector<View> learned_;
  std::vector<BinnedView> bins_;
};

}  // namespace treecca
