// Adds rows to a Gram matrix: with Eigen for few columns, with our own kernel (gram_kernels.hpp) otherwise.
//
// Which of them depends on the number of columns alone, so results do not depend on the processor. Thread-safe for
// different sums.
#pragma once

#include <Eigen/Core>

#include "support/aligned.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// sum (cols x cols) += x' x for i <= j; what is below the diagonal becomes undefined. x: rows x cols, row-major with
/// `stride` numbers per row. buffer: grows to what is needed, for all calls.
void add_gram(const double* x, Index rows, Index stride, Eigen::MatrixXd& sum, AlignedVector<double>& buffer);

}  // namespace treecca
