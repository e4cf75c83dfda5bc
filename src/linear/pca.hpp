// Principal components of a view: the initial values of the embeddings, and the first step of linear CCA.
//
// Columns are centred and, if requested, scaled to unit variance; missing values count as the column's mean; constant
// columns get weight 0. Small problems (min(N, p) <= 512, or if it is cheaper) are solved exactly through the smaller
// Gram matrix, larger ones by randomised subspace iteration keyed by `seed`. The result does not depend on `threads`.
// With peers, the view holds some of the rows, but the components describe all rows. Products of rows of different
// processes are not available, so a view with more columns than rows is also solved through its columns. Signs: the
// largest-magnitude weight of every component is positive.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "linear/standardise.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/model.hpp"  // for BaseMargin

namespace treecca {

struct PrincipalComponents {
  BaseMargin map;                       // scores = (x - map.mean) * map.weights, also for new rows; p x k
  Matrix<double> scores;                // N x k, columns orthonormal (left singular vectors U)
  std::vector<double> singular_values;  // k, descending
  Index rank = 0;                       // components beyond the rank are zero columns
};

PrincipalComponents principal_components(const MatrixView& x, Index k, bool standardise, std::uint64_t seed,
                                         Threads threads, const Peers& peers = {});

/// Only the directions, for a view that is already scaled: p x r with orthonormal columns, r = min(k, rank), arbitrary
/// signs. Projections are scaled rows times this. An iteration makes at most `passes` passes: a few find a space of
/// many dimensions, more separate its axes.
Eigen::MatrixXd principal_axes(const MatrixView& x, const ColumnScaling& scaling, Index k, int passes,
                               std::uint64_t seed, Threads threads, const Peers& peers = {});

}  // namespace treecca
