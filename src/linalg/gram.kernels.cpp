// Compiled once per instruction set (see cmake/), in a namespace of its own. Includes nothing whose inline functions
// could be shared between differently compiled copies: only the kernels' own header.
#include "linalg/gram_kernels.hpp"

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif

namespace treecca::TREECCA_KERNEL_VARIANT {
namespace {

// A tile of the sum stays in registers: kAcross columns of two vectors each.
#if defined(__AVX512F__)
constexpr int kWide = 8, kAcross = 8;
#elif defined(__AVX2__)
constexpr int kWide = 4, kAcross = 4;
#else
constexpr int kWide = 2, kAcross = 4;
#endif
using Wide = double __attribute__((vector_size(8 * kWide), aligned(8), may_alias));

constexpr std::ptrdiff_t kPanel = kGramPanel;

/// sum[j * stride + i] += along[r, i] * across[r, j], for 2 * kWide values of i and kAcross of j.
void add_tile(const double* along, const double* across, std::ptrdiff_t rows, double* sum, std::ptrdiff_t stride) {
  Wide low[kAcross] = {}, high[kAcross] = {};
  for (std::ptrdiff_t r = 0; r < rows; ++r, along += kPanel, across += kPanel) {
    const Wide first = *reinterpret_cast<const Wide*>(along);
    const Wide second = *reinterpret_cast<const Wide*>(along + kWide);
    for (int j = 0; j < kAcross; ++j) {
      low[j] += first * across[j];
      high[j] += second * across[j];
    }
  }
  for (int j = 0; j < kAcross; ++j) {
    *reinterpret_cast<Wide*>(sum + j * stride) += low[j];
    *reinterpret_cast<Wide*>(sum + j * stride + kWide) += high[j];
  }
}

/// What two panels add to the entries i < n_along, j < n_across of their part of the sum, if all tiles of it exist.
/// diagonal: both panels are the same one, and tiles below the diagonal are left out.
void add_tiles(const double* along, const double* across, std::ptrdiff_t rows, std::ptrdiff_t n_along,
               std::ptrdiff_t n_across, bool diagonal, double* sum, std::ptrdiff_t stride) {
  for (std::ptrdiff_t j = 0; j < n_across; j += kAcross) {
    for (std::ptrdiff_t i = 0; i < n_along && !(diagonal && i >= j + kAcross); i += 2 * kWide) {
      add_tile(along + i, across + j, rows, sum + j * stride + i, stride);
    }
  }
}

void add_panels(const double* along, const double* across, std::ptrdiff_t rows, std::ptrdiff_t n_along,
                std::ptrdiff_t n_across, bool diagonal, double* sum, std::ptrdiff_t stride) {
  if (n_across == kPanel) return add_tiles(along, across, rows, n_along, n_across, diagonal, sum, stride);
  // The last panel: tiles may reach beyond the sum.
  double whole[kPanel * kPanel] = {};
  for (std::ptrdiff_t j = 0; j < n_across; ++j) {
    for (std::ptrdiff_t i = 0; i < n_along; ++i) whole[j * kPanel + i] = sum[j * stride + i];
  }
  add_tiles(along, across, rows, n_along, n_across, diagonal, whole, kPanel);
  for (std::ptrdiff_t j = 0; j < n_across; ++j) {
    for (std::ptrdiff_t i = 0; i < n_along; ++i) sum[j * stride + i] = whole[j * kPanel + i];
  }
}

std::ptrdiff_t at_most_a_panel(std::ptrdiff_t count) { return count < kPanel ? count : kPanel; }

void pack(const double* x, std::ptrdiff_t rows, std::ptrdiff_t stride, std::ptrdiff_t cols, double* buffer) {
  for (std::ptrdiff_t first = 0; first < cols; first += kPanel) {
    const std::ptrdiff_t count = at_most_a_panel(cols - first);
    for (std::ptrdiff_t r = 0; r < rows; ++r, buffer += kPanel) {
      for (std::ptrdiff_t c = 0; c < count; ++c) buffer[c] = x[r * stride + first + c];
      for (std::ptrdiff_t c = count; c < kPanel; ++c) buffer[c] = 0;
    }
  }
}

void add_rows(const double* x, std::ptrdiff_t rows, std::ptrdiff_t stride, std::ptrdiff_t cols, double* buffer,
              double* sum) {
  for (std::ptrdiff_t begin = 0; begin < rows; begin += kGramRows) {
    const std::ptrdiff_t n = rows - begin < kGramRows ? rows - begin : kGramRows;
    pack(x + begin * stride, n, stride, cols, buffer);
    for (std::ptrdiff_t j = 0; j < cols; j += kPanel) {
      for (std::ptrdiff_t i = 0; i <= j; i += kPanel) {
        add_panels(buffer + i * n, buffer + j * n, n, at_most_a_panel(cols - i), at_most_a_panel(cols - j), i == j,
                   sum + j * cols + i, cols);
      }
    }
  }
}

}  // namespace

extern const GramKernels kGramKernels;
const GramKernels kGramKernels{add_rows};

}  // namespace treecca::TREECCA_KERNEL_VARIANT
