// Leading k >= 1 eigenvectors of symmetric positive semidefinite matrices.
//
// Pure functions; thread-safe.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <functional>

#include "treecca/matrix.hpp"

namespace treecca {

struct Eigenpairs {
  Eigen::MatrixXd vectors;  // n x min(k, n), orthonormal columns
  Eigen::VectorXd values;   // descending
};

/// Exact, from the full decomposition: about 10 n^3 operations.
Eigenpairs leading_eigenpairs(const Eigen::MatrixXd& matrix, Index k);

/// Number of vectors that the iteration below uses to find k of n.
constexpr Index iterated_vectors(Index n, Index k) { return std::min(n, k + k / 4 + 10); }

/// Randomised subspace iteration for an n x n matrix that is given by its products: apply(X) = matrix * X. Makes
/// `max_products`; fewer if up to about 40 pairs are wanted and all their residuals are below 1e-7 of the largest
/// eigenvalue. Pairs in a flat part of the spectrum may then still be mixed with their neighbours.
Eigenpairs leading_eigenpairs(Index n, Index k, const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& apply,
                              int max_products, std::uint64_t seed);

}  // namespace treecca
