// Products of many rows with a small matrix, and conversions between our matrices and Eigen's.
//
// Rows are processed in blocks that do not depend on the number of threads.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>

#include "support/threads.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// out = rows of z (N x K, floats) times a K x K matrix, row by row, summed in double. `out` may be `z`.
void multiply_rows(const Matrix<float>& z, const Eigen::MatrixXd& by, Matrix<float>& out, Threads threads);

/// Every row of z (N x W) minus `mean` (W numbers, or empty), times the W x `columns` matrix of_row(i); if that is
/// null, the row becomes zero. Each sum runs over W in order, in double.
Matrix<float> project_rows(const Matrix<float>& z, std::span<const double> mean, Index columns,
                           const std::function<const Matrix<double>*(Index row)>& of_row, Threads threads);

/// matrix *= factor.
void scale(Matrix<float>& matrix, double factor, Threads threads);

Matrix<double> to_matrix(const Eigen::MatrixXd& matrix);
Matrix<double> times(const Matrix<double>& left, const Eigen::MatrixXd& right);
Matrix<float> to_floats(const Matrix<double>& matrix);
Matrix<double> to_doubles(const Matrix<float>& matrix);

/// The numbers of a matrix, column by column, for sums over processes.
inline std::span<double> span_of(Eigen::MatrixXd& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

}  // namespace treecca
