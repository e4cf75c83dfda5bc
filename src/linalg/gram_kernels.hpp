// Adds rows to a Gram matrix: the hot loop of linear CCA, initial values and moments, compiled for each instruction
// set.
//
// The products of kGramRows rows are summed in the order of the rows, without fused operations; their sum is then
// added. So all instruction sets give the same bits. Thread-safe; allocates nothing.
#pragma once

#include <cstddef>

#include "support/instruction_set.hpp"

namespace treecca {

inline constexpr std::ptrdiff_t kGramPanel = 16;  // columns that are copied next to each other
inline constexpr std::ptrdiff_t kGramRows = 256;  // rows that are summed before they are added

/// Number of doubles that the kernel needs for its copies.
inline std::ptrdiff_t gram_buffer_size(std::ptrdiff_t cols) {
  return kGramRows * ((cols + kGramPanel - 1) / kGramPanel) * kGramPanel;
}

struct GramKernels {
  /// sum(i, j) += the products x(r, i) x(r, j) of all rows r, for i <= j. x: rows x cols, row-major with `stride`
  /// numbers per row. sum: cols x cols, column-major; what is below its diagonal becomes undefined.
  void (*add_rows)(const double* x, std::ptrdiff_t rows, std::ptrdiff_t stride, std::ptrdiff_t cols, double* buffer,
                   double* sum);
};

const GramKernels& gram_kernels(InstructionSet set = instruction_set());

}  // namespace treecca
