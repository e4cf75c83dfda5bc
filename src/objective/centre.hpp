// Centring an embedding within folds: every fold's encoder has an offset of its own (see moments.hpp).
#pragma once

#include "objective/moments.hpp"
#include "samples/folds.hpp"
#include "support/parallel.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// z (N x K) -= mean of the row's fold (columns offset .. offset + K of the stacked means).
inline void centre_within_folds(Matrix<float>& z, const Moments& moments, Index offset, const Folds& folds,
                                Threads threads) {
  constexpr Index kBlock = 1 << 14;  // less is not worth a second thread
  parallel_blocks(z.rows(), kBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Eigen::VectorXd& mean = moments.mean[folds.of_row[i]];
      for (Index k = 0; k < z.cols(); ++k) z(i, k) = static_cast<float>(z(i, k) - mean(offset + k));
    }
  });
}

}  // namespace treecca
