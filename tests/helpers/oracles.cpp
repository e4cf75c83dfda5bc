#include "helpers/oracles.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace treecca::testing {

Eigenproblem generalised_eigenproblem(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(a, b);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd jacobi_singular_values(const Eigen::MatrixXd& matrix) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
}

Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return a.ldlt().solve(b); }

}  // namespace treecca::testing
