// Dense decompositions, compiled once: Eigen's solvers are large templates that make every file that uses them slow to
// build. Pure functions; thread-safe.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace treecca {

/// Eigenvalues ascending, eigenvectors in columns. The matrix must be symmetric.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

/// Eigenvectors (d x r) and eigenvalues (r, descending) of a symmetric matrix; eigenvalues below `tolerance` times the
/// largest are left out.
struct Spectrum {
  Eigen::MatrixXd vectors;
  Eigen::VectorXd values;
};
Spectrum positive_spectrum(const Eigen::MatrixXd& symmetric, double tolerance);

/// V^(-1/2), symmetric; eigenvalues below `tolerance` times the largest are treated as 0 (pseudo-inverse).
Eigen::MatrixXd inverse_square_root(const Eigen::MatrixXd& covariance, double tolerance = 1e-10);

/// Lower triangular L with matrix = L L'; empty unless every pivot is above `tolerance` times the largest diagonal
/// entry.
std::optional<Eigen::MatrixXd> cholesky_factor(const Eigen::MatrixXd& matrix, double tolerance);

/// matrix = U diag(s) V', s descending. `full`: U and V square; otherwise as many columns as singular values.
struct SingularValues {
  Eigen::MatrixXd u;
  Eigen::VectorXd s;
  Eigen::MatrixXd v;
};
SingularValues singular_values(const Eigen::MatrixXd& matrix, bool full = false);

/// The orthogonal (for a rectangular matrix: semi-orthogonal) matrix R nearest to `matrix`. It maximises tr(R' matrix),
/// which equals the sum of the singular values; this goes to `trace` unless it is null.
Eigen::MatrixXd polar_factor(const Eigen::MatrixXd& matrix, double* trace = nullptr);

/// Orthonormal columns with the span of `matrix` (rows >= cols).
Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& matrix);

}  // namespace treecca
