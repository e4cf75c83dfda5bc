// Leading k >= 1 eigenvectors of symmetric positive semidefinite matrices.
//
// Pure functions; thread-safe.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

#include "treecca/matrix.hpp"

namespace treecca {

struct Eigenpairs {
  Eigen::MatrixXd vectors;  // n x min(k, n), orthonormal columns
  Eigen::VectorXd values;   // descending
};

/// Exact, from the whole decomposition: about 10 n^3 operations.
Eigenpairs leading_eigenpairs(const Eigen::MatrixXd& matrix, Index k);

/// Randomised subspace iteration for an n x n matrix that is known only through products: apply(X)
/// = matrix * X. Stops when the residuals of all k pairs are below 1e-7 of the largest eigenvalue,
/// after `max_products` at the latest; pairs in a flat part of the spectrum may then still be mixed
/// with their neighbours.
Eigenpairs leading_eigenpairs(Index n, Index k, const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& apply,
                              int max_products, std::uint64_t seed);

}  // namespace treecca
