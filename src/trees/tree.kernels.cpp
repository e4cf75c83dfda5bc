// Compiled once per instruction set (see cmake/), in a namespace of its own. Includes nothing whose inline functions
// could be shared between differently compiled copies: only the kernels' own header.
#include "trees/kernels.hpp"

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif
#define TREECCA_STRING_(x) #x
#define TREECCA_STRING(x) TREECCA_STRING_(x)

namespace treecca::TREECCA_KERNEL_VARIANT {
namespace {

// GCC and Clang vector types: the compiler maps them to whatever registers the instruction set has.
using Int4 = std::int32_t __attribute__((vector_size(16), aligned(4), may_alias));
using Int8 = std::int32_t __attribute__((vector_size(32), aligned(4), may_alias));
using Int16 = std::int32_t __attribute__((vector_size(64), aligned(4), may_alias));
using Double8 = double __attribute__((vector_size(64)));
using Long8 = std::int64_t __attribute__((vector_size(64), aligned(8), may_alias));

template <int kFeatures>
void build_scalar_block(const std::uint8_t* const* columns, const Rows* rows, std::ptrdiff_t n,
                        const std::int64_t* gradients, std::int64_t* const* histograms) {
  const std::uint8_t* column[kFeatures];
  std::int64_t* histogram[kFeatures];
  for (int f = 0; f < kFeatures; ++f) {
    column[f] = columns[f];
    histogram[f] = histograms[f];
  }
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const std::size_t row = rows[i];
    const std::int64_t g = gradients[i];
    for (int f = 0; f < kFeatures; ++f) histogram[f][column[f][row]] += g;
  }
}

void build_scalar(const std::uint8_t* const* columns, int n_features, const Rows* rows, std::ptrdiff_t n,
                  const std::int64_t* gradients, std::int64_t* const* histograms) {
  switch (n_features) {
    case 4: return build_scalar_block<4>(columns, rows, n, gradients, histograms);
    case 3: return build_scalar_block<3>(columns, rows, n, gradients, histograms);
    case 2: return build_scalar_block<2>(columns, rows, n, gradients, histograms);
    default: return build_scalar_block<1>(columns, rows, n, gradients, histograms);
  }
}

// Gradients of a chunk of rows stay in the second-level cache while the features pass over them.
constexpr std::ptrdiff_t kChunkBytes = 1 << 17;

template <class Vector>
void build_lanes_chunk(const std::uint8_t* column, const Rows* rows, std::ptrdiff_t n,
                       const std::int32_t* gradients, int vectors, std::int32_t* histogram) {
  constexpr int kWidth = sizeof(Vector) / sizeof(std::int32_t);
  if (vectors == 1) {
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      auto* entry = reinterpret_cast<Vector*>(histogram + std::size_t{column[rows[i]]} * kWidth);
      *entry += *reinterpret_cast<const Vector*>(gradients + i * kWidth);
    }
    return;
  }
  const std::ptrdiff_t lanes = std::ptrdiff_t{vectors} * kWidth;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    std::int32_t* entry = histogram + column[rows[i]] * lanes;
    const std::int32_t* g = gradients + i * lanes;
    for (int v = 0; v < vectors; ++v) {
      *reinterpret_cast<Vector*>(entry + v * kWidth) += *reinterpret_cast<const Vector*>(g + v * kWidth);
    }
  }
}

void build_lanes(const std::uint8_t* const* columns, int n_features, const Rows* rows, std::ptrdiff_t n,
                 const std::int32_t* gradients, int lanes, std::int32_t* const* histograms) {
  const std::ptrdiff_t chunk = kChunkBytes / (lanes * std::ptrdiff_t{sizeof(std::int32_t)}) + 1;
  for (std::ptrdiff_t begin = 0; begin < n; begin += chunk) {
    const std::ptrdiff_t size = n - begin < chunk ? n - begin : chunk;
    const std::int32_t* g = gradients + begin * lanes;
    for (int f = 0; f < n_features; ++f) {
      if (lanes == 4) {
        build_lanes_chunk<Int4>(columns[f], rows + begin, size, g, 1, histograms[f]);
      } else if (lanes == 8) {
        build_lanes_chunk<Int8>(columns[f], rows + begin, size, g, 1, histograms[f]);
      } else {
        build_lanes_chunk<Int16>(columns[f], rows + begin, size, g, lanes / 16, histograms[f]);
      }
    }
  }
}

template <class Cell>
void subtract(Cell* __restrict from, const Cell* __restrict what, std::ptrdiff_t n) {
  for (std::ptrdiff_t i = 0; i < n; ++i) from[i] -= what[i];
}

/// One division for both children: a/b + c/d = (a d + c b) / (b d).
template <class T>
void pair_score(const T& left_squares, const T& left_weight, const T& right_squares, const T& right_weight,
                T& score) {
  score = (left_squares * right_weight + right_squares * left_weight) / (left_weight * right_weight);
}

/// Keeps the better of two results; the earlier one on equal scores.
void keep_better(ScanResult& best, double score, int bin, bool missing_left) {
  if (score > best.score) {
    best.score = score;
    best.bin = bin;
    best.missing_left = missing_left;
  }
}

ScanResult scan_scalar(const std::int64_t* histogram, std::int64_t total, int count_bits, const ScanInput& input) {
  constexpr int kVector = 8;
  const std::int64_t count_mask = (std::int64_t{1} << count_bits) - 1;
  const std::int64_t missing = histogram[input.n_bins];
  const bool any_missing = (missing & count_mask) != 0;
  // Candidates: after each bin; the last one only parts the missing rows from the rest.
  const int candidates = any_missing ? input.n_bins : input.n_bins - 1;
  ScanResult best;
  std::int64_t left[kMaxBinsWithMissing + kVector];
  for (int direction = 0; direction < (any_missing ? 2 : 1); ++direction) {
    std::int64_t sum = direction == 0 ? 0 : missing;
    for (int b = 0; b < candidates; ++b) left[b] = sum += histogram[b];
    for (int b = candidates; b < candidates + kVector; ++b) left[b] = total;  // never allowed: right side empty
    Double8 top = Double8{} - 1.0;
    Long8 top_bin = {};
    Long8 bins = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int b = 0; b < candidates; b += kVector, bins += kVector) {
      const Long8 packed = *reinterpret_cast<const Long8*>(left + b);
      const Long8 other = total - packed;
      const Double8 n_left = __builtin_convertvector(packed & count_mask, Double8);
      const Double8 n_right = __builtin_convertvector(other & count_mask, Double8);
      const Double8 g_left = __builtin_convertvector(packed >> count_bits, Double8);
      const Double8 g_right = __builtin_convertvector(other >> count_bits, Double8);
      Double8 score;
      pair_score<Double8>(g_left * g_left, n_left + input.reg_lambda, g_right * g_right,
                          n_right + input.reg_lambda, score);
      const Long8 better =
          (n_left >= input.min_child_weight) & (n_right >= input.min_child_weight) & (score > top);
      top = better ? score : top;
      top_bin = better ? bins : top_bin;
    }
    ScanResult found;
    for (int v = 0; v < kVector; ++v) {
      const int bin = static_cast<int>(top_bin[v]);
      if (top[v] > found.score || (top[v] == found.score && top[v] >= 0 && bin < found.bin)) {
        found.score = top[v];
        found.bin = bin;
      }
    }
    keep_better(best, found.score, found.bin, direction == 1);
  }
  return best;
}

/// Sums of squares of the left and right gradient sums over the lanes below `width`, in groups of 8 lanes.
void lane_squares(const std::int32_t* left, const std::int32_t* total, int groups, double& left_squares,
                  double& right_squares) {
  Double8 sum_left = {};
  Double8 sum_right = {};
  for (int v = 0; v < groups; ++v) {
    const Int8 l = *reinterpret_cast<const Int8*>(left + 8 * v);
    const Int8 r = *reinterpret_cast<const Int8*>(total + 8 * v) - l;
    const Double8 dl = __builtin_convertvector(l, Double8);
    const Double8 dr = __builtin_convertvector(r, Double8);
    sum_left += dl * dl;
    sum_right += dr * dr;
  }
  left_squares = ((sum_left[0] + sum_left[4]) + (sum_left[1] + sum_left[5])) +
                 ((sum_left[2] + sum_left[6]) + (sum_left[3] + sum_left[7]));
  right_squares = ((sum_right[0] + sum_right[4]) + (sum_right[1] + sum_right[5])) +
                  ((sum_right[2] + sum_right[6]) + (sum_right[3] + sum_right[7]));
}

ScanResult scan_lanes(const std::int32_t* histogram, const std::int32_t* total, int width, int lanes,
                      const ScanInput& input) {
  constexpr int kBufferLanes = 4112;  // n_components is at most 4096
  alignas(64) std::int32_t left[kBufferLanes];
  alignas(64) std::int32_t whole[kBufferLanes];
  const int groups = (lanes + 7) / 8;  // 4 lanes are scanned as 8 with zeros behind
  for (int k = 0; k < groups * 8; ++k) whole[k] = k < width ? total[k] : 0;
  const double n_total = total[width];
  const std::int32_t* missing = histogram + std::ptrdiff_t{input.n_bins} * lanes;
  const bool any_missing = missing[width] != 0;
  const int candidates = any_missing ? input.n_bins : input.n_bins - 1;
  ScanResult best;
  for (int direction = 0; direction < (any_missing ? 2 : 1); ++direction) {
    for (int k = 0; k < groups * 8; ++k) left[k] = direction == 1 && k < width ? missing[k] : 0;
    double n_left = direction == 1 ? missing[width] : 0;
    for (int b = 0; b < candidates; ++b) {
      const std::int32_t* entry = histogram + std::ptrdiff_t{b} * lanes;
      if (entry[width] == 0) continue;  // an empty bin: the same split as the one before
      for (int k = 0; k < lanes; ++k) left[k] += entry[k];
      left[width] = 0;  // the count lane is no gradient
      n_left += entry[width];
      const double n_right = n_total - n_left;
      if (n_left < input.min_child_weight) continue;
      if (n_right < input.min_child_weight) break;
      double left_squares;
      double right_squares;
      double score;
      lane_squares(left, whole, groups, left_squares, right_squares);
      pair_score(left_squares, n_left + input.reg_lambda, right_squares, n_right + input.reg_lambda, score);
      keep_better(best, score, b, direction == 1);
    }
  }
  return best;
}

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels{TREECCA_STRING(TREECCA_KERNEL_VARIANT), build_scalar, build_lanes,
                       subtract<std::int64_t>, subtract<std::int32_t>, scan_scalar, scan_lanes};

}  // namespace treecca::TREECCA_KERNEL_VARIANT
