// Computes the embedding of a view from its encoders: out-of-fold, and their mean.
//
// A view has one encoder per fold. Its N rows are rows first_row .. first_row + N - 1 of every encoder's embedding:
// with one table, the same encoders embed both augmented copies, which are stacked. Results do not depend on the number
// of threads.
#pragma once

#include <span>

#include "engines/engine.hpp"
#include "samples/folds.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Refers to the encoders, which must outlive it.
struct EmbeddedView {
  std::span<const EncoderState> by_fold;
  Index first_row = 0;

  const float* row(int fold, Index row) const {
    return by_fold[static_cast<std::size_t>(fold)].embedding.row(first_row + row);
  }
};

/// Writes to `out` (N x W) each row's embedding by the encoder that was trained without it, plus weight * start (N x W;
/// not read if weight is 0). Rows that are left out of all folds keep their values.
void out_of_fold_rows(const EmbeddedView& view, const Folds& folds, float weight, const Matrix<float>& start,
                      Threads threads, Matrix<float>& out);

/// N x W: the mean over the encoders.
Matrix<float> mean_rows(const EmbeddedView& view, Index rows, Threads threads);

}  // namespace treecca
