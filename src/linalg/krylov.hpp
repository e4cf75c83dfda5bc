// Leading eigenpairs of a large symmetric matrix that is given by its products: block Lanczos.
//
// Keeps all products in one basis (fully orthogonalised, restarted from its best vectors when it is large). So it needs
// several times fewer products than the subspace iteration of eigenpairs.hpp, but memory for the whole basis; use it
// for few pairs. A good start, such as the vectors of a similar matrix, saves most of the work. Pure functions;
// thread-safe.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

#include "linalg/eigenpairs.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Stopping rule: all residuals |A x - value x| below `residual` times the largest absolute eigenvalue of the basis, or
/// `max_products` made.
struct KrylovLimits {
  double residual = 1e-7;
  int max_products = 100;
};

/// Columns of the start for k pairs: k plus two, because a block finds at most as many equal eigenvalues as it has
/// columns, and because the pairs after the last wanted pair determine the speed of convergence.
constexpr Index krylov_width(Index k) { return k + 2; }

/// The k algebraically largest pairs of an n x n matrix, apply(X) = matrix * X. `known`: n x any number of columns,
/// start vectors, best first; if there are fewer than krylov_width(k), the others are drawn from `seed`. Requires n >=
/// 5 * krylov_width(k).
Eigenpairs krylov_eigenpairs(Index n, Index k, const Eigen::MatrixXd& known,
                             const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& apply, KrylovLimits limits,
                             std::uint64_t seed);

}  // namespace treecca
