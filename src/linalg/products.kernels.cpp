// Compiled once per instruction set (see cmake/), in a namespace of its own. Includes nothing whose inline functions
// could be shared between differently compiled copies: only the kernels' own header.
#include "linalg/products.hpp"

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif

namespace treecca::TREECCA_KERNEL_VARIANT {
namespace {

// GCC and Clang vector types. The widest fits the registers of the instruction set.
using Doubles4 = double __attribute__((vector_size(32), aligned(8), may_alias));
#if defined(__AVX512F__)
using Widest = double __attribute__((vector_size(64), aligned(8), may_alias));
#elif defined(__AVX2__)
using Widest = Doubles4;
#else
using Widest = double __attribute__((vector_size(16), aligned(8), may_alias));
#endif

template <class Doubles>
constexpr int kWidth = sizeof(Doubles) / sizeof(double);

/// Sums over l < n of kRows x (kVectors vectors of) products: of factor r, at one[l * one_step + r * row_step], with
/// the columns at other + l * other_step.
template <int kRows, int kVectors, class Doubles>
struct Tile {
  Doubles sums[kRows][kVectors] = {};

  void add(const double* one, std::ptrdiff_t one_step, std::ptrdiff_t row_step, const double* other,
           std::ptrdiff_t other_step, std::ptrdiff_t n) {
    for (std::ptrdiff_t l = 0; l < n; ++l) {
      Doubles columns[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        columns[v] = *reinterpret_cast<const Doubles*>(other + l * other_step + v * kWidth<Doubles>);
      }
      for (int r = 0; r < kRows; ++r) {
        const double factor = one[l * one_step + r * row_step];
        for (int v = 0; v < kVectors; ++v) sums[r][v] += factor * columns[v];
      }
    }
  }
};

constexpr int kTileRows = 4;

/// Columns of the products of kRows rows from `first` on, as far as whole tiles reach. Returns the next column.
template <int kRows, int kVectors, class Doubles>
int multiply_columns(const double* rows, int k, const double* by, int stride, int first, float* out) {
  constexpr int kColumns = kVectors * kWidth<Doubles>;
  for (; first + kColumns <= stride; first += kColumns) {
    Tile<kRows, kVectors, Doubles> tile;
    tile.add(rows, 1, k, by + first, stride, k);
    const int columns = k - first < kColumns ? k - first : kColumns;  // the rest of `stride` is padding
    for (int r = 0; r < kRows; ++r) {
      float results[kColumns];
      for (int c = 0; c < kColumns; ++c) {
        results[c] = static_cast<float>(tile.sums[r][c / kWidth<Doubles>][c % kWidth<Doubles>]);
      }
      __builtin_memcpy(out + std::ptrdiff_t{r} * k + first, results, static_cast<std::size_t>(columns) * sizeof(float));
    }
  }
  return first;
}

template <int kRows>
void multiply_tile(const double* rows, int k, const double* by, int stride, float* out) {
  int first = multiply_columns<kRows, 2, Widest>(rows, k, by, stride, 0, out);
  first = multiply_columns<kRows, 1, Widest>(rows, k, by, stride, first, out);
  multiply_columns<kRows, 1, Doubles4>(rows, k, by, stride, first, out);
}

void multiply(const double* rows, std::ptrdiff_t n, int k, const double* by, int stride, float* out) {
  std::ptrdiff_t i = 0;
  for (; i + kTileRows <= n; i += kTileRows) multiply_tile<kTileRows>(rows + i * k, k, by, stride, out + i * k);
  for (; i < n; ++i) multiply_tile<1>(rows + i * k, k, by, stride, out + i * k);
}

}  // namespace

extern const ProductKernels kProductKernels;
const ProductKernels kProductKernels{multiply};

}  // namespace treecca::TREECCA_KERNEL_VARIANT
