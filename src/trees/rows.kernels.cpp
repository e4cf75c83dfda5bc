// The row-wise kernels of kernels.hpp: fixed-point gradients, partition by a split, exact sums. Compiled once per
// instruction set, like tree.kernels.cpp, which lists them. All instruction sets do the same operations on every
// number, so they give the same bits.
#include "trees/kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif

namespace treecca::TREECCA_KERNEL_VARIANT {

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

namespace {

constexpr int kGroup = 8;  // components of a row that are read together

// Eight numbers of single precision, and as many integers.
#if defined(__AVX2__)
using Floats = __m256;
using Integers = __m256i;

Integers first_lanes(int count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
Floats load(const float* from, int count) {
  return count >= kGroup ? _mm256_loadu_ps(from) : _mm256_maskload_ps(from, first_lanes(count));
}
Floats minus(Floats a, Floats b) { return _mm256_sub_ps(a, b); }
Integers magnitude_bits(Floats x) { return _mm256_and_si256(_mm256_castps_si256(x), _mm256_set1_epi32(0x7FFFFFFF)); }
Integers higher(Integers a, Integers b) { return _mm256_max_epu32(a, b); }
Integers plus(Integers a, Integers b) { return _mm256_add_epi32(a, b); }
Integers load_integers(const std::int32_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
void store(std::int32_t* to, Integers from) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), from); }
/// As to_fixed of gradients.hpp, for four numbers.
__m128i fixed(__m128 x, __m256d scale) {
  const __m256d scaled = _mm256_mul_pd(_mm256_cvtps_pd(x), scale);
  const __m256d half = _mm256_or_pd(_mm256_and_pd(scaled, _mm256_set1_pd(-0.0)), _mm256_set1_pd(0.5));
  return _mm256_cvttpd_epi32(_mm256_add_pd(scaled, half));
}
Integers to_fixed(Floats x, double scale) {
  const __m256d s = _mm256_set1_pd(scale);
  return _mm256_set_m128i(fixed(_mm256_extractf128_ps(x, 1), s), fixed(_mm256_castps256_ps128(x), s));
}
/// Adds round(scale * x) to eight sums (or the first `count` of them).
void add_rounded(Floats x, double scale, double* sums, int count) {
  constexpr double kShift = 0x1.8p52;  // as `rounded` of leaf_values.cpp
  const __m256d s = _mm256_set1_pd(scale), shift = _mm256_set1_pd(kShift);
  alignas(32) double rounded[kGroup];
  for (int half = 0; half < 2; ++half) {
    const __m128 part = half == 0 ? _mm256_castps256_ps128(x) : _mm256_extractf128_ps(x, 1);
    const __m256d r = _mm256_sub_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_cvtps_pd(part), s), shift), shift);
    if (count >= 4 * half + 4) {
      _mm256_storeu_pd(sums + 4 * half, _mm256_add_pd(_mm256_loadu_pd(sums + 4 * half), r));
    } else {
      _mm256_store_pd(rounded, r);
      for (int k = 4 * half; k < count; ++k) sums[k] += rounded[k - 4 * half];
    }
  }
}
#else
struct Floats {
  float lane[kGroup];
};
struct Integers {
  std::uint32_t lane[kGroup];
};
Floats load(const float* from, int count) {
  Floats result = {};
  for (int k = 0; k < (count < kGroup ? count : kGroup); ++k) result.lane[k] = from[k];
  return result;
}
Floats minus(Floats a, const Floats& b) {
  for (int k = 0; k < kGroup; ++k) a.lane[k] -= b.lane[k];
  return a;
}
Integers magnitude_bits(const Floats& x) {
  Integers result;
  __builtin_memcpy(&result, &x, sizeof result);
  for (std::uint32_t& bits : result.lane) bits &= 0x7FFFFFFFU;
  return result;
}
Integers higher(Integers a, const Integers& b) {
  for (int k = 0; k < kGroup; ++k) a.lane[k] = a.lane[k] < b.lane[k] ? b.lane[k] : a.lane[k];
  return a;
}
Integers plus(Integers a, const Integers& b) {
  for (int k = 0; k < kGroup; ++k) a.lane[k] += b.lane[k];
  return a;
}
Integers load_integers(const std::int32_t* from) {
  Integers result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}
void store(std::int32_t* to, const Integers& from) { __builtin_memcpy(to, &from, sizeof from); }
Integers to_fixed(const Floats& x, double scale) {
  Integers result;
  for (int k = 0; k < kGroup; ++k) {
    const double scaled = static_cast<double>(x.lane[k]) * scale;
    result.lane[k] = static_cast<std::uint32_t>(static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5)));
  }
  return result;
}
void add_rounded(const Floats& x, double scale, double* sums, int count) {
  constexpr double kShift = 0x1.8p52;
  for (int k = 0; k < (count < kGroup ? count : kGroup); ++k) {
    sums[k] += (static_cast<double>(x.lane[k]) * scale + kShift) - kShift;
  }
}
#endif

Floats difference(const GradientRows& values, std::ptrdiff_t row, int first) {
  const int count = values.width - first;
  const Floats current = load(values.current + row * values.current_stride + first, count);
  if (values.target == nullptr) return current;
  return minus(current, load(values.target + row * values.target_stride + first, count));
}

std::uint32_t magnitude_bits(float x) {
  std::uint32_t bits = 0;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits & 0x7FFFFFFFU;
}

}  // namespace

std::uint32_t largest_difference(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n,
                                 float* differences) {
  std::uint32_t largest = 0;
  if (values.width == 1) {
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const std::ptrdiff_t row = rows[i];
      float value = values.current[row * values.current_stride];
      if (values.target != nullptr) value -= values.target[row * values.target_stride];
      if (differences != nullptr) differences[i] = value;
      const std::uint32_t bits = magnitude_bits(value);
      largest = bits > largest ? bits : largest;
    }
    return largest;
  }
  Integers highest = {};
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (int first = 0; first < values.width; first += kGroup) {
      highest = higher(highest, magnitude_bits(difference(values, rows[i], first)));
    }
  }
  alignas(32) std::int32_t lanes[kGroup];
  store(lanes, highest);
  for (const std::int32_t lane : lanes) {
    const auto bits = static_cast<std::uint32_t>(lane);
    largest = bits > largest ? bits : largest;
  }
  return largest;
}

void pack_scalar(const float* differences, const RowIndex* rows, std::ptrdiff_t n, double scale, int count_bits,
                 std::int64_t* by_row, std::int64_t* ordered, std::int64_t* total) {
  const std::int64_t unit = std::int64_t{1} << count_bits;
  std::int64_t sum = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const double scaled = static_cast<double>(differences[i]) * scale;
    const auto rounded = static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
    const std::int64_t packed = std::int64_t{rounded} * unit + 1;
    ordered[i] = packed;
    sum += packed;
  }
  for (std::ptrdiff_t i = 0; i < n; ++i) by_row[rows[i]] = ordered[i];
  *total += sum;
}

void pack_lanes(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n, double scale, int lanes,
                std::int32_t* by_row, std::int32_t* ordered, std::int32_t* total) {
  if (lanes < kGroup) {  // four: at most three components and the count
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const std::ptrdiff_t row = rows[i];
      std::int32_t* out = ordered + i * lanes;
      for (int k = 0; k < lanes; ++k) out[k] = k == values.width ? 1 : 0;
      for (int k = 0; k < values.width; ++k) {
        float value = values.current[row * values.current_stride + k];
        if (values.target != nullptr) value -= values.target[row * values.target_stride + k];
        const double scaled = static_cast<double>(value) * scale;
        out[k] = static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
      }
      for (int k = 0; k < lanes; ++k) {
        total[k] += out[k];
        by_row[row * lanes + k] = out[k];
      }
    }
    return;
  }
  for (int first = 0; first < lanes; first += kGroup) {
    alignas(32) std::int32_t one[kGroup] = {};
    if (values.width - first < kGroup && values.width >= first) one[values.width - first] = 1;
    const Integers count = load_integers(one);
    Integers sum = load_integers(total + first);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const std::ptrdiff_t row = rows[i];
      const Integers packed =
          first < values.width ? plus(to_fixed(difference(values, row, first), scale), count) : count;
      sum = plus(sum, packed);
      store(ordered + i * lanes + first, packed);
      store(by_row + row * lanes + first, packed);
    }
    store(total + first, sum);
  }
}

void sum_rounded(const GradientRows& values, const RowIndex* rows, std::ptrdiff_t n, double scale, double* sums) {
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (int first = 0; first < values.width; first += kGroup) {
      add_rounded(difference(values, rows[i], first), scale, sums + first, values.width - first);
    }
  }
}

namespace {

using Sums = float __attribute__((vector_size(4 * kSketchLanes), aligned(4), may_alias));

/// kRows rows at a time: a sum must wait for its previous addition.
template <int kRows>
void sketch_rows(const GradientRows& values, const float* directions, int stride, const RowIndex* rows, float* out) {
  for (int first = 0; first < stride; first += kSketchLanes) {
    Sums sums[kRows] = {};
    for (int k = 0; k < values.width; ++k) {
      const Sums direction = *reinterpret_cast<const Sums*>(directions + std::ptrdiff_t{k} * stride + first);
      for (int r = 0; r < kRows; ++r) {
        const std::ptrdiff_t row = rows[r];
        float value = values.current[row * values.current_stride + k];
        if (values.target != nullptr) value -= values.target[row * values.target_stride + k];
        sums[r] += value * direction;
      }
    }
    for (int r = 0; r < kRows; ++r) {
      *reinterpret_cast<Sums*>(out + static_cast<std::ptrdiff_t>(rows[r]) * stride + first) = sums[r];
    }
  }
}

}  // namespace

void sketch(const GradientRows& values, const float* directions, int stride, const RowIndex* rows, std::ptrdiff_t n,
            float* out) {
  std::ptrdiff_t i = 0;
  for (; i + 4 <= n; i += 4) sketch_rows<4>(values, directions, stride, rows + i, out);
  for (; i < n; ++i) sketch_rows<1>(values, directions, stride, rows + i, out);
}

#if defined(__AVX2__)
namespace {

/// For every set of eight rows, the places of its members in ascending order.
struct Places {
  std::uint8_t of_set[256][8];

  constexpr Places() : of_set() {
    for (unsigned set = 0; set < 256; ++set) {
      int next = 0;
      for (unsigned i = 0; i < 8; ++i) {
        if (((set >> i) & 1U) != 0) of_set[set][next++] = static_cast<std::uint8_t>(i);
      }
    }
  }
};
constexpr Places kPlaces;

__m256i members(__m256i rows, unsigned set) {
  const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPlaces.of_set[set]));
  return _mm256_permutevar8x32_epi32(rows, _mm256_cvtepu8_epi32(places));
}

}  // namespace
#endif

std::ptrdiff_t partition(const std::uint8_t* column, int bin, int missing, RowIndex* rows, std::ptrdiff_t n,
                         RowIndex* right) {
  std::ptrdiff_t n_left = 0, n_right = 0, i = 0;
#if defined(__AVX2__)
  const __m128i highest = _mm_set1_epi8(static_cast<char>(bin));
  const __m128i also = _mm_set1_epi8(static_cast<char>(missing >= 0 ? missing : bin));
  for (; i + 8 <= n; i += 8) {
    std::uint64_t codes = 0;
    for (int j = 0; j < 8; ++j) codes |= std::uint64_t{column[rows[i + j]]} << (8 * j);
    const __m128i eight = _mm_cvtsi64_si128(static_cast<long long>(codes));
    const __m128i goes_left =
        _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(eight, highest), eight), _mm_cmpeq_epi8(eight, also));
    const unsigned left_set = static_cast<unsigned>(_mm_movemask_epi8(goes_left)) & 0xFFU;
    const __m256i eight_rows = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows + i));
    // What is written beyond the members is overwritten later, or lies in rows that were read already.
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows + n_left), members(eight_rows, left_set));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(right + n_right), members(eight_rows, left_set ^ 0xFFU));
    const int lefts = __builtin_popcount(left_set);
    n_left += lefts;
    n_right += 8 - lefts;
  }
#endif
  for (; i < n; ++i) {
    const RowIndex row = rows[i];
    const int code = column[row];
    const bool goes_left = static_cast<int>(code <= bin) != 0 || code == missing;
    rows[n_left] = row;
    right[n_right] = row;
    n_left += goes_left ? 1 : 0;
    n_right += goes_left ? 0 : 1;
  }
  return n_left;
}

}  // namespace treecca::TREECCA_KERNEL_VARIANT
