// Compiled once per instruction set (see cmake/), each in its own namespace. Includes nothing whose inline functions
// could be shared between differently compiled copies: only the kernels' own header.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("avx512vpopcntdq")  // pair_kernels.cpp looks for it before it takes this variant
#define TREECCA_COUNTS_WORDS 1
#endif

#include "screen/pair_kernels.hpp"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif

namespace treecca::TREECCA_KERNEL_VARIANT {
namespace {

constexpr int kSide = kTableSide;
constexpr int kCells = kSide * kSide;

// GCC and Clang vector types, which the compiler maps to the registers of the instruction set.
using Words = std::uint64_t __attribute__((vector_size(8 * kLanes), aligned(8), may_alias));
using Floats = float __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

inline const Floats& lanes(const float* from) { return *reinterpret_cast<const Floats*>(from); }
inline Floats& lanes(float* at) { return *reinterpret_cast<Floats*>(at); }

/// Adds to each of kLanes sums the number of bits that a word shares with another one.
inline void add_common_bits(std::uint64_t word, const std::uint64_t* others, Words& sums) {
#ifdef TREECCA_COUNTS_WORDS
  const Words common = *reinterpret_cast<const Words*>(others) & word;
  sums += reinterpret_cast<Words>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(common)));
#elif defined(__AVX2__)  // bits of half bytes by table, bytes of a word by sum
  const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i low = _mm256_set1_epi8(15);
  for (int half = 0; half < 2; ++half) {
    const __m256i x = _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(others) + half),
                                       _mm256_set1_epi64x(static_cast<long long>(word)));
    const __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(x, low)),
                                          _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
    __m256i* sum = reinterpret_cast<__m256i*>(&sums) + half;
    _mm256_storeu_si256(sum, _mm256_add_epi64(_mm256_loadu_si256(sum), _mm256_sad_epu8(bytes, _mm256_setzero_si256())));
  }
#else
  Words x = *reinterpret_cast<const Words*>(others) & word;
  x -= (x >> 1) & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + ((x >> 2) & 0x3333333333333333U);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  x += x >> 8;
  x += x >> 16;
  sums += (x + (x >> 32)) & 0x7FU;
#endif
}

/// tables: cells x lanes, one per fold, and the sum of all behind them.
template <int kBins>
inline void statistics(const PairRows& rows, const PairFeatures& one, int bins_one, const PairFeatures& others,
                       const float* tables, float* out) {
  const float* whole = tables + rows.folds * kCells * kLanes;
  for (int set = 0; set < rows.sets; ++set) {
    const float* inverse_one = one.inverse + set * kSide;
    const float* left_out = set > 0 ? tables + (set - 1) * kCells * kLanes : nullptr;
    Floats sums[kBins] = {};
    for (int row = 0; row < bins_one; ++row) {
      for (int column = 0; column < kBins; ++column) {
        const int cell = (row * kSide + column) * kLanes;
        Floats observed = lanes(whole + cell);
        if (left_out != nullptr) observed -= lanes(left_out + cell);
        sums[column] += observed * observed * inverse_one[row];
      }
    }
    Floats total{};
    for (int column = 0; column < kBins; ++column) {
      total += sums[column] * lanes(others.inverse + (set * kSide + column) * kLanes);
    }
    lanes(out + set * kLanes) = rows.scale[set] * (total - 1.0F);
  }
}

template <int kBins>
inline void add_up(const PairRows& rows, int bins_one, float* tables) {
  float* whole = tables + rows.folds * kCells * kLanes;
  for (int row = 0; row < bins_one; ++row) {
    for (int column = 0; column < kBins; ++column) {
      const int cell = (row * kSide + column) * kLanes;
      Floats sum{};
      for (int fold = 0; fold < rows.folds; ++fold) sum += lanes(tables + fold * kCells * kLanes + cell);
      lanes(whole + cell) = sum;
    }
  }
}

/// Counts the rows in bin `row` of the one and `column` of the others, for all but the last of each; those follow from
/// the margins.
template <int kBins>
inline void count_bits(const PairRows& rows, const PairFeatures& one, int bins_one, const PairFeatures& others,
                       float* tables) {
  const std::ptrdiff_t words = rows.begin[rows.folds];
  for (int fold = 0; fold < rows.folds; ++fold) {
    float* table = tables + fold * kCells * kLanes;
    Floats rest[kBins];
    for (int column = 0; column < kBins; ++column) {
      rest[column] = lanes(others.counts + (fold * kSide + column) * kLanes);
    }
    for (int row = 0; row + 1 < bins_one; ++row) {
      const std::uint64_t* bits = one.bits + row * words;
      Words cells[kBins] = {};
      for (std::ptrdiff_t w = rows.begin[fold]; w < rows.begin[fold + 1]; ++w) {
        for (int column = 0; column + 1 < kBins; ++column) {
          add_common_bits(bits[w], others.bits + (column * words + w) * kLanes, cells[column]);
        }
      }
      Floats last = Floats{} + one.counts[fold * kSide + row];
      for (int column = 0; column < kBins; ++column) {
        Floats counted = last;
        if (column + 1 < kBins) {
          counted = __builtin_convertvector(cells[column], Floats);
          last -= counted;
        }
        lanes(table + (row * kSide + column) * kLanes) = counted;
        rest[column] -= counted;
      }
    }
    for (int column = 0; column < kBins; ++column) {
      lanes(table + ((bins_one - 1) * kSide + column) * kLanes) = rest[column];
    }
  }
}

template <int kBins>
inline void count_codes(const PairRows& rows, const float* weights, const PairFeatures& one, const PairFeatures& others,
                        float* tables) {
  for (int cell = 0; cell < rows.folds * kCells * kLanes; ++cell) tables[cell] = 0;
  for (int fold = 0; fold < rows.folds; ++fold) {
    float* table = tables + fold * kCells * kLanes;
    for (std::ptrdiff_t r = rows.begin[fold]; r < rows.begin[fold + 1]; ++r) {
      float* line = table + one.codes[r] * kSide * kLanes;
      for (int lane = 0; lane < kLanes; ++lane) line[others.codes[r * kLanes + lane] * kLanes + lane] += weights[r];
    }
  }
}

/// Calls use<bins>() with the number of bins known to the compiler.
template <class Use>
inline void with_bins(int bins, Use&& use) {
  switch (bins) {
    case 2:
      return use.template operator()<2>();
    case 3:
      return use.template operator()<3>();
    case 4:
      return use.template operator()<4>();
    case 5:
      return use.template operator()<5>();
    case 6:
      return use.template operator()<6>();
    default:
      return use.template operator()<7>();
  }
}

void pairs_of_bits(const PairRows& rows, const PairFeatures& one, int bins_one, const PairFeatures& others,
                   int bins_others, float* tables, float* out) {
  with_bins(bins_others, [&]<int kBins>() {
    count_bits<kBins>(rows, one, bins_one, others, tables);
    add_up<kBins>(rows, bins_one, tables);
    statistics<kBins>(rows, one, bins_one, others, tables, out);
  });
}

void pairs_of_codes(const PairRows& rows, const float* weights, const PairFeatures& one, int bins_one,
                    const PairFeatures& others, int bins_others, float* tables, float* out) {
  with_bins(bins_others, [&]<int kBins>() {
    count_codes<kBins>(rows, weights, one, others, tables);
    add_up<kBins>(rows, bins_one, tables);
    statistics<kBins>(rows, one, bins_one, others, tables, out);
  });
}

}  // namespace

extern const PairKernels kPairKernels;
const PairKernels kPairKernels{pairs_of_bits, pairs_of_codes};

}  // namespace treecca::TREECCA_KERNEL_VARIANT
