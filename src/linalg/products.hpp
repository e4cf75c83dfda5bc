// Products of many rows with a small matrix: the hot loop of whitening, compiled for each instruction set.
//
// Every sum is taken in double, one product after the other, so all instruction sets give the same bits. Eigen sums in
// the same order, but is compiled for the oldest processor. Thread-safe; allocates nothing.
#pragma once

#include <cstddef>

#include "support/instruction_set.hpp"

namespace treecca {

/// `stride` is a multiple of it.
inline constexpr int kProductLanes = 4;

struct ProductKernels {
  /// out (n x k) = rows (n x k) times the first k columns of `by` (k x stride). All are row-major.
  void (*multiply)(const double* rows, std::ptrdiff_t n, int k, const double* by, int stride, float* out);
};

const ProductKernels& product_kernels(InstructionSet set = instruction_set());

}  // namespace treecca
