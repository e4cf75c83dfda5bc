// Textbook solutions of dense problems, compiled once: Eigen's solvers are large templates.
#pragma once

#include <Eigen/Core>

namespace treecca::testing {

/// A x = lambda B x with B positive definite: eigenvalues ascending, eigenvectors with x' B x = 1 in columns.
struct Eigenproblem {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Eigenproblem generalised_eigenproblem(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// Descending, by Jacobi rotations: another method than linalg/decompose.hpp.
Eigen::VectorXd jacobi_singular_values(const Eigen::MatrixXd& matrix);

/// A^(-1) B for a symmetric positive definite A.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace treecca::testing
