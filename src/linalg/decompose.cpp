#include "linalg/decompose.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace treecca {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Spectrum positive_spectrum(const Eigen::MatrixXd& symmetric, double tolerance) {
  const Eigen::Index d = symmetric.rows();
  if (d == 0) return {Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)};
  const SymmetricEigen eigen = symmetric_eigen(symmetric);
  const Eigen::VectorXd values = eigen.values.reverse();
  const auto present = [&](double value) { return value > 0 && value >= tolerance * values[0]; };
  Eigen::Index rank = 0;
  while (rank < d && present(values[rank])) ++rank;
  return {eigen.vectors.rowwise().reverse().leftCols(rank), values.head(rank)};
}

Eigen::MatrixXd inverse_square_root(const Eigen::MatrixXd& covariance, double tolerance) {
  const Spectrum spectrum = positive_spectrum(covariance, tolerance);
  return spectrum.vectors * spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal() * spectrum.vectors.transpose();
}

std::optional<Eigen::MatrixXd> cholesky_factor(const Eigen::MatrixXd& matrix, double tolerance) {
  if (matrix.rows() == 0) return std::nullopt;
  const Eigen::LLT<Eigen::MatrixXd> llt(matrix);
  if (llt.info() != Eigen::Success) return std::nullopt;
  Eigen::MatrixXd factor = llt.matrixL();
  const double smallest = tolerance * matrix.diagonal().maxCoeff();
  if (!(factor.diagonal().array().square().minCoeff() > smallest)) return std::nullopt;
  return factor;
}

SingularValues singular_values(const Eigen::MatrixXd& matrix, bool full) {
  const unsigned options = full ? Eigen::ComputeFullU | Eigen::ComputeFullV : Eigen::ComputeThinU | Eigen::ComputeThinV;
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix, options);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& matrix) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  return qr.householderQ() * Eigen::MatrixXd::Identity(matrix.rows(), matrix.cols());
}

}  // namespace treecca
