// Compiled once per instruction set (see cmake/), in a namespace of its own. Includes nothing whose inline functions
// could be shared between differently compiled copies: only the kernels' own header.
#include "trees/kernels.hpp"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif
#define TREECCA_STRING_(x) #x
#define TREECCA_STRING(x) TREECCA_STRING_(x)

namespace treecca::TREECCA_KERNEL_VARIANT {

// rows.kernels.cpp
std::uint32_t largest_difference(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n,
                                 float* differences);
void pack_scalar(const float* differences, const RowIndex* rows, std::ptrdiff_t n, double scale, int count_bits,
                 std::int64_t* by_row, std::int64_t* ordered, std::int64_t* total);
void pack_lanes(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n, double scale, int lanes,
                std::int32_t* by_row, std::int32_t* ordered, std::int32_t* total);
void sum_rounded(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n, double scale, double* sums);
void sketch(const GradientRows& values, const float* directions, int stride, const RowIndex* rows, std::ptrdiff_t n,
            float* out);
std::ptrdiff_t partition(const std::uint8_t* column, int bin, int missing, RowIndex* rows, std::ptrdiff_t n,
                         RowIndex* right);

// scan.kernels.cpp
Split best_split_scalar(const std::int64_t* histogram, std::int64_t total, int count_bits, const SplitInput& input);
Split best_split_lanes(const std::int32_t* histogram, const std::int32_t* total, int width, int lanes,
                       const SplitInput& input);

namespace {

// GCC and Clang vector types: the compiler maps them to whatever registers the instruction set has.
using Int4 = std::int32_t __attribute__((vector_size(16), aligned(4), may_alias));
using Int8 = std::int32_t __attribute__((vector_size(32), aligned(4), may_alias));
using Int16 = std::int32_t __attribute__((vector_size(64), aligned(4), may_alias));

template <int kFeatures>
void build_scalar_block(const std::uint8_t* const* columns, const RowIndex* rows, std::ptrdiff_t n,
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

void build_scalar(const std::uint8_t* const* columns, int n_features, const RowIndex* rows, std::ptrdiff_t n,
                  const std::int64_t* gradients, std::int64_t* const* histograms) {
  switch (n_features) {
    case 4:
      return build_scalar_block<4>(columns, rows, n, gradients, histograms);
    case 3:
      return build_scalar_block<3>(columns, rows, n, gradients, histograms);
    case 2:
      return build_scalar_block<2>(columns, rows, n, gradients, histograms);
    default:
      return build_scalar_block<1>(columns, rows, n, gradients, histograms);
  }
}

/// kLanes: lanes of an entry, or 0 for any multiple of a vector. Each gradient is loaded once for all features.
template <class Vector, int kLanes, int kFeatures>
void build_features(const std::uint8_t* const* columns, const RowIndex* rows, std::ptrdiff_t n,
                    const std::int32_t* gradients, std::ptrdiff_t any_lanes, std::int32_t* const* histograms) {
  constexpr int kWidth = sizeof(Vector) / sizeof(std::int32_t);
  const std::ptrdiff_t lanes = kLanes > 0 ? kLanes : any_lanes;
  const std::uint8_t* column[kFeatures];
  std::int32_t* histogram[kFeatures];
  for (int f = 0; f < kFeatures; ++f) {
    column[f] = columns[f];
    histogram[f] = histograms[f];
  }
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const std::size_t row = rows[i];
    std::int32_t* entry[kFeatures];
    for (int f = 0; f < kFeatures; ++f) entry[f] = histogram[f] + std::ptrdiff_t{column[f][row]} * lanes;
    for (std::ptrdiff_t v = 0; v < lanes; v += kWidth) {
      const Vector g = *reinterpret_cast<const Vector*>(gradients + i * lanes + v);
      for (int f = 0; f < kFeatures; ++f) *reinterpret_cast<Vector*>(entry[f] + v) += g;
    }
  }
}

template <class Vector, int kLanes>
void build_vectors(const std::uint8_t* const* columns, int n_features, const RowIndex* rows, std::ptrdiff_t n,
                   const std::int32_t* gradients, std::ptrdiff_t lanes, std::int32_t* const* histograms) {
  switch (n_features) {
    case 4:
      return build_features<Vector, kLanes, 4>(columns, rows, n, gradients, lanes, histograms);
    case 3:
      return build_features<Vector, kLanes, 3>(columns, rows, n, gradients, lanes, histograms);
    case 2:
      return build_features<Vector, kLanes, 2>(columns, rows, n, gradients, lanes, histograms);
    default:
      return build_features<Vector, kLanes, 1>(columns, rows, n, gradients, lanes, histograms);
  }
}

void build_lanes(const std::uint8_t* const* columns, int n_features, const RowIndex* rows, std::ptrdiff_t n,
                 const std::int32_t* gradients, int lanes, std::int32_t* const* histograms) {
  if (lanes == 4) return build_vectors<Int4, 4>(columns, n_features, rows, n, gradients, lanes, histograms);
  if (lanes == 8) return build_vectors<Int8, 8>(columns, n_features, rows, n, gradients, lanes, histograms);
  if (lanes == 16) return build_vectors<Int16, 16>(columns, n_features, rows, n, gradients, lanes, histograms);
  build_vectors<Int8, 0>(columns, n_features, rows, n, gradients, lanes, histograms);
}

template <class Vector>
void gather_vectors(const RowIndex* rows, std::ptrdiff_t n, const std::int32_t* gradients, int lanes,
                    std::int32_t* out) {
  constexpr int kWidth = sizeof(Vector) / sizeof(std::int32_t);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const std::int32_t* from = gradients + std::size_t{rows[i]} * static_cast<std::size_t>(lanes);
    for (int v = 0; v < lanes; v += kWidth) {
      *reinterpret_cast<Vector*>(out + i * lanes + v) = *reinterpret_cast<const Vector*>(from + v);
    }
  }
}

void gather_lanes(const RowIndex* rows, std::ptrdiff_t n, const std::int32_t* gradients, int lanes, std::int32_t* out) {
  if (lanes == 4) return gather_vectors<Int4>(rows, n, gradients, 4, out);
  gather_vectors<Int8>(rows, n, gradients, lanes, out);
}

template <class Entry>
void subtract(Entry* __restrict from, const Entry* __restrict what, std::ptrdiff_t n) {
  for (std::ptrdiff_t i = 0; i < n; ++i) from[i] -= what[i];
}

/// Bit i: values[i] < threshold (at_least = false), or values[i] >= threshold (true); never for missing values.
template <bool at_least>
std::uint64_t compare(const float* values, float threshold) {
  std::uint64_t bits = 0;
#if defined(__AVX512F__)
  const __m512 t = _mm512_set1_ps(threshold);
  for (int i = 0; i < kWalkRows; i += 16) {
    const std::uint64_t part = _mm512_cmp_ps_mask(_mm512_loadu_ps(values + i), t, at_least ? _CMP_GE_OQ : _CMP_LT_OQ);
    bits |= part << i;
  }
#elif defined(__AVX2__)
  const __m256 t = _mm256_set1_ps(threshold);
  for (int i = 0; i < kWalkRows; i += 8) {
    const __m256 part = _mm256_cmp_ps(_mm256_loadu_ps(values + i), t, at_least ? _CMP_GE_OQ : _CMP_LT_OQ);
    bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm256_movemask_ps(part))) << i;
  }
#elif defined(__SSE2__)
  const __m128 t = _mm_set1_ps(threshold);
  for (int i = 0; i < kWalkRows; i += 4) {
    const __m128 v = _mm_loadu_ps(values + i);
    const __m128 part = at_least ? _mm_cmpge_ps(v, t) : _mm_cmplt_ps(v, t);
    bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_ps(part))) << i;
  }
#else
  for (int i = 0; i < kWalkRows; ++i) {
    bits |= static_cast<std::uint64_t>(at_least ? values[i] >= threshold : values[i] < threshold) << i;
  }
#endif
  return bits;
}

/// Bit i: whether the level values[i] is in the set; a value that is not a level counts as missing.
std::uint64_t in_set(const float* values, const std::uint64_t* set, bool missing_left) {
  std::uint64_t bits = 0;
  for (int i = 0; i < kWalkRows; ++i) {
    const bool known = values[i] >= 0 && values[i] < kLevelWords * 64;
    const auto level = known ? static_cast<unsigned>(values[i]) : 0U;
    const bool left = known ? ((set[level / 64] >> (level % 64)) & 1U) != 0 : missing_left;
    bits |= static_cast<std::uint64_t>(left) << i;
  }
  return bits;
}

/// leaf[i] = number for the rows i of a set.
void set_leaf(std::uint64_t rows, std::uint32_t number, std::uint32_t* leaf) {
#if defined(__AVX512F__)
  const __m512i numbers = _mm512_set1_epi32(static_cast<int>(number));
  for (int i = 0; i < kWalkRows; i += 16) {
    _mm512_mask_storeu_epi32(leaf + i, static_cast<__mmask16>(rows >> i), numbers);
  }
#elif defined(__AVX2__)
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i numbers = _mm256_set1_epi32(static_cast<int>(number));
  for (int i = 0; i < kWalkRows; i += 8) {
    const __m256i part = _mm256_set1_epi32(static_cast<int>((rows >> i) & 255U));
    auto* to = reinterpret_cast<__m256i*>(leaf + i);
    const __m256i mine = _mm256_cmpeq_epi32(_mm256_and_si256(part, bits), bits);
    _mm256_storeu_si256(to, _mm256_blendv_epi8(_mm256_loadu_si256(to), numbers, mine));
  }
#else
  for (; rows != 0; rows &= rows - 1) leaf[__builtin_ctzll(rows)] = number;
#endif
}

/// Node by node instead of row by row: each comparison serves all rows, without branches per row.
void walk(const WalkNode* nodes, std::size_t n_nodes, const std::uint64_t* level_sets, const float* block,
          std::uint64_t* masks, std::uint32_t* leaf) {
  masks[0] = ~std::uint64_t{0};
  for (std::size_t n = 0; n < n_nodes; ++n) {
    const WalkNode& node = nodes[n];
    std::uint64_t here = masks[n];
    if (node.column >= 0) {
      std::uint64_t left = 0;
      if (here != 0) {
        const float* values = block + node.column;
        if (node.leaf != 0) {
          left = in_set(values, level_sets + std::size_t{node.leaf - 1} * kLevelWords, node.missing_left);
        } else {
          left = node.missing_left ? ~compare<true>(values, node.threshold) : compare<false>(values, node.threshold);
        }
      }
      masks[node.child] = here & left;
      masks[node.child + 1] = here & ~left;
    } else {
      set_leaf(here, node.leaf, leaf);
    }
  }
}

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels{TREECCA_STRING(TREECCA_KERNEL_VARIANT),
                       build_scalar,
                       build_lanes,
                       largest_difference,
                       pack_scalar,
                       pack_lanes,
                       sum_rounded,
                       sketch,
                       gather_lanes,
                       partition,
                       subtract<std::int64_t>,
                       subtract<std::int32_t>,
                       best_split_scalar,
                       best_split_lanes,
                       walk};

}  // namespace treecca::TREECCA_KERNEL_VARIANT
