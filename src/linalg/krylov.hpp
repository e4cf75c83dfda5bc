// Leading eigenpairs of a large symmetric matrix that is known only through products: block Lanczos.
//
// Keeps all products in one basis (orthogonalised in full, restarted from its best vectors when it is large) and so
// needs several times fewer of them than the subspace iteration of eigenpairs.hpp, but memory for the whole basis: the
// method for few pairs. A good start, such as the vectors of a similar matrix, saves most of the work.
// Pure functions; thread-safe.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

#include "linalg/eigenpairs.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// When the iteration ends: all residuals |A x - value x| below `residual` times the largest absolute eigenvalue of the
/// basis, or after `max_products`.
struct KrylovLimits {
  double residual = 1e-7;
  int max_products = 100;
};

/// Columns of the start for k pairs: two spare ones, since a block finds at most as many equal eigenvalues as it has
/// columns, and the pairs next to the last one wanted decide how fast that one is found.
constexpr Index krylov_width(Index k) { return k + 2; }

/// The k algebraically largest pairs of an n x n matrix, apply(X) = matrix * X. `known`: n x any number of columns,
/// vectors to start from, best first; those missing to krylov_width(k) are drawn from `seed`. Requires
/// n >= 5 * krylov_width(k).
Eigenpairs krylov_eigenpairs(Index n, Index k, const Eigen::MatrixXd& known,
                             const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& apply, KrylovLimits limits,
                             std::uint64_t seed);

}  // namespace treecca
