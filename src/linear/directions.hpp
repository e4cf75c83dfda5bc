// Ridge CCA (MCCA for more than two views) from the covariance of the stacked views.
//
// Shrinkage c in [0, 1): the covariance within a view becomes (1 - c) * S + c * mean(diag(S)) * I. The leading pairs of
// canonical vectors are found by a full decomposition if the views are narrow, else by an iteration.
// Pure functions; thread-safe.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "linalg/krylov.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Precision for directions that are kept, and for directions that only serve to compare shrinkages.
inline constexpr KrylovLimits kToKeep{1e-7, 100};
inline constexpr KrylovLimits kToCompare{1e-2, 8};

struct Directions {
  /// d_v x K per view: variates = dimensions * per_view[v]. Unit variance under the given covariance, uncorrelated
  /// within a view and ordered (canonical_rotation); zero if a view has no variance left for a component.
  std::vector<Eigen::MatrixXd> per_view;
  Eigen::MatrixXd canonical;  // all views stacked, before the rotation: a start for the next iteration
};

/// offset: the first dimension of each view, and the number of dimensions. `similar`: empty, or `canonical` of a
/// similar problem.
Directions fit_directions(const Eigen::MatrixXd& covariance, const std::vector<Index>& offset, Index k,
                          double shrinkage, KrylovLimits limits, std::uint64_t seed,
                          const Eigen::MatrixXd& similar = {});

}  // namespace treecca
