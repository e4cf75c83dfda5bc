// Products of many rows with a small matrix or with themselves: the hot loops of moments and whitening, compiled for
// each instruction set.
//
// Every sum is taken in double, one product after the other, so all instruction sets give the same bits. Eigen sums in
// the same order, but is compiled for the oldest processor. Thread-safe; allocate nothing.
#pragma once

#include <cstddef>

#include "support/instruction_set.hpp"

namespace treecca {

/// `stride` and `size` are multiples of it.
inline constexpr int kProductLanes = 4;

struct ProductKernels {
  /// out (n x k) = rows (n x k) times the first k columns of `by` (k x stride). All are row-major.
  void (*multiply)(const double* rows, std::ptrdiff_t n, int k, const double* by, int stride, float* out);

  /// Adds the sum of x x' over the rows x of n x size numbers (row-major) to the lower triangle of `sums` (size x size,
  /// column-major). Its upper triangle is undefined afterwards.
  void (*add_squares)(const double* rows, std::ptrdiff_t n, int size, double* sums);
};

const ProductKernels& product_kernels(InstructionSet set = instruction_set());

}  // namespace treecca
