// The split scans of kernels.hpp. Compiled once per instruction set, like tree.kernels.cpp, which lists them.
//
// One pass per direction of the missing rows. Running sums stay in registers; candidates are scored kWidth at a time,
// in the order of the bins, and divided only where the quotient can exceed the best score so far. All instruction sets
// do the same operations on every candidate, so they give the same bits.
#include "trees/kernels.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of its own AVX-512 intrinsics
#endif
#endif

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif

namespace treecca::TREECCA_KERNEL_VARIANT {

Split best_split_scalar(const std::int64_t* histogram, std::int64_t total, int count_bits, const SplitInput& input);
Split best_split_lanes(const std::int32_t* histogram, const std::int32_t* total, int width, int lanes,
                       const SplitInput& input);

namespace {

// kWidth doubles with the operators of the built-in vector types; bits(...) has bit i for a comparison of element i.
#if defined(__AVX512F__)
using Doubles = __m512d;
constexpr int kWidth = 8;
Doubles all(double value) { return _mm512_set1_pd(value); }
unsigned bits_above(Doubles a, Doubles b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
unsigned bits_at_least(Doubles a, Doubles b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
void store(double* to, Doubles from) { _mm512_storeu_pd(to, from); }
#elif defined(__AVX2__)
using Doubles = __m256d;
constexpr int kWidth = 4;
Doubles all(double value) { return _mm256_set1_pd(value); }
unsigned bits_of(Doubles mask) { return static_cast<unsigned>(_mm256_movemask_pd(mask)); }
unsigned bits_above(Doubles a, Doubles b) { return bits_of(_mm256_cmp_pd(a, b, _CMP_GT_OQ)); }
unsigned bits_at_least(Doubles a, Doubles b) { return bits_of(_mm256_cmp_pd(a, b, _CMP_GE_OQ)); }
void store(double* to, Doubles from) { _mm256_storeu_pd(to, from); }
#else
using Doubles = double;
constexpr int kWidth = 1;
Doubles all(double value) { return value; }
unsigned bits_above(Doubles a, Doubles b) { return a > b ? 1 : 0; }
unsigned bits_at_least(Doubles a, Doubles b) { return a >= b ? 1 : 0; }
void store(double* to, Doubles from) { *to = from; }
#endif

/// The best split so far, and the bound that a candidate must exceed.
class Search {
 public:
  Search(const SplitInput& input, double n_total)
      : reg_lambda_(all(input.reg_lambda)),
        min_child_weight_(all(input.min_child_weight)),
        n_total_(all(n_total)),
        floor_(input.floor) {
    set_bound();
  }

  /// kWidth candidates from `bin` on: rows on the left, and the squared gradient sums of both sides.
  void consider(Doubles n_left, Doubles left_squares, Doubles right_squares, int bin, bool missing_left) {
    const Doubles n_right = n_total_ - n_left;
    const Doubles left_weight = n_left + reg_lambda_;
    const Doubles right_weight = n_right + reg_lambda_;
    // One division for both children: a/b + c/d = (a d + c b) / (b d).
    const Doubles numerator = left_squares * right_weight + right_squares * left_weight;
    const Doubles denominator = left_weight * right_weight;
    unsigned candidates = bits_above(numerator, bound_ * denominator) & bits_at_least(n_left, min_child_weight_) &
                          bits_at_least(n_right, min_child_weight_);
    if (candidates == 0) return;
    double score[kWidth];
    store(score, numerator / denominator);
    for (; candidates != 0; candidates &= candidates - 1) {
      const int i = __builtin_ctz(candidates);
      if (!(score[i] > floor_)) continue;
      floor_ = score[i];
      best_ = {score[i], bin + i, missing_left};
    }
    set_bound();
  }

  const Split& best() const { return best_; }

 private:
  /// A quotient above the floor has a numerator above bound x denominator, whatever the rounding.
  void set_bound() { bound_ = all(floor_ > 0 ? floor_ * (1 - 1e-12) : -1.0); }

  Doubles reg_lambda_, min_child_weight_, n_total_, bound_;
  double floor_;
  Split best_;
};

/// There is a candidate after each bin; the one after the last bin separates only the missing rows.
int candidate_count(const SplitInput& input, bool any_missing) { return any_missing ? input.n_bins : input.n_bins - 1; }

// Running sums of packed entries, kWidth at a time. Absent entries (from `count` on) count as empty bins: their
// candidates equal the last one, which comes first.
#if defined(__AVX512F__)
class RunningSums {
 public:
  RunningSums(std::int64_t start, int count_bits)
      : carry_(_mm512_set1_epi64(start)),
        shift_(_mm_cvtsi32_si128(count_bits)),
        count_mask_(_mm512_set1_epi64((std::int64_t{1} << count_bits) - 1)) {}

  /// False if the bins are empty; then nothing changes.
  bool add(const std::int64_t* entries, int count) {
    const auto present = static_cast<__mmask8>(count >= kWidth ? 0xFF : (1 << count) - 1);
    __m512i sums = _mm512_maskz_loadu_epi64(present, entries);
    if (_mm512_test_epi64_mask(sums, sums) == 0) return false;
    const __m512i zero = _mm512_setzero_si512();
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 7));
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 6));
    sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 4));
    sums_ = _mm512_add_epi64(sums, carry_);
    carry_ = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), sums_);
    return true;
  }
  void stay() { sums_ = carry_; }
  Doubles counts() const { return _mm512_cvtepi64_pd(_mm512_and_si512(sums_, count_mask_)); }
  Doubles gradients() const { return _mm512_cvtepi64_pd(_mm512_sra_epi64(sums_, shift_)); }

 private:
  __m512i sums_ = _mm512_setzero_si512(), carry_;
  __m128i shift_;
  __m512i count_mask_;
};
#elif defined(__AVX2__)
/// Converts integers to doubles without an instruction for it: an integer u below 2^52, put into the fraction of a
/// double with the exponent of 2^52, is the double 2^52 + u. Adding 2^63 first makes all sums positive; after the shift
/// this offset is 2^(63 - count_bits).
class RunningSums {
 public:
  RunningSums(std::int64_t start, int count_bits)
      : carry_(_mm256_set1_epi64x(start)),
        shift_(_mm_cvtsi32_si128(count_bits)),
        count_mask_(_mm256_set1_epi64x((std::int64_t{1} << count_bits) - 1)),
        count_offset_(all(kTwo52)),
        gradient_offset_(all(kTwo52 + static_cast<double>(std::int64_t{1} << (63 - count_bits)))) {}

  /// False if the bins are empty; then nothing changes.
  bool add(const std::int64_t* entries, int count) {
    __m256i sums = count >= kWidth ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entries))
                                   : _mm256_maskload_epi64(reinterpret_cast<const long long*>(entries), first(count));
    if (_mm256_testz_si256(sums, sums) != 0) return false;
    sums = _mm256_add_epi64(sums, _mm256_slli_si256(sums, 8));
    const __m256i low = _mm256_permute4x64_epi64(sums, 0x50);
    sums = _mm256_add_epi64(sums, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xF0));
    sums_ = _mm256_add_epi64(sums, carry_);
    carry_ = _mm256_permute4x64_epi64(sums_, 0xFF);
    return true;
  }
  void stay() { sums_ = carry_; }
  Doubles counts() const { return as_double(_mm256_and_si256(sums_, count_mask_)) - count_offset_; }
  Doubles gradients() const {
    const __m256i positive = _mm256_xor_si256(sums_, _mm256_set1_epi64x(INT64_MIN));
    return as_double(_mm256_srl_epi64(positive, shift_)) - gradient_offset_;
  }

 private:
  static constexpr double kTwo52 = 4503599627370496.0;

  static __m256i first(int count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_set_epi64x(3, 2, 1, 0));
  }
  /// 2^52 + u.
  static Doubles as_double(__m256i u) {
    return _mm256_castsi256_pd(_mm256_or_si256(u, _mm256_castpd_si256(all(kTwo52))));
  }

  __m256i sums_ = _mm256_setzero_si256(), carry_;
  __m128i shift_;
  __m256i count_mask_;
  Doubles count_offset_, gradient_offset_;
};
#else
class RunningSums {
 public:
  RunningSums(std::int64_t start, int count_bits) : sum_(start), count_bits_(count_bits) {}

  /// False if the bin is empty; then nothing changes.
  bool add(const std::int64_t* entries, int /*count*/) {
    sum_ += *entries;
    return *entries != 0;
  }
  void stay() {}
  Doubles counts() const { return static_cast<double>(sum_ & ((std::int64_t{1} << count_bits_) - 1)); }
  Doubles gradients() const { return static_cast<double>(sum_ >> count_bits_); }

 private:
  std::int64_t sum_;
  int count_bits_;
};
#endif

}  // namespace

Split best_split_scalar(const std::int64_t* histogram, std::int64_t total, int count_bits, const SplitInput& input) {
  const std::int64_t count_mask = (std::int64_t{1} << count_bits) - 1;
  const std::int64_t missing = histogram[input.n_bins];
  const bool any_missing = (missing & count_mask) != 0;
  const int count = candidate_count(input, any_missing);
  const Doubles gradient = all(static_cast<double>(total >> count_bits));
  Search search(input, static_cast<double>(total & count_mask));
  for (int direction = 0; direction < (any_missing ? 2 : 1); ++direction) {
    RunningSums sums(direction == 0 ? 0 : missing, count_bits);
    for (int b = 0; b < count; b += kWidth) {
      if (!sums.add(histogram + b, count - b)) {
        if (b > 0) continue;  // the same candidates as before
        sums.stay();
      }
      const Doubles left = sums.gradients();
      const Doubles right = gradient - left;
      search.consider(sums.counts(), left * left, right * right, b, direction == 1);
    }
  }
  return search.best();
}

namespace {

constexpr int kBlock = 8;  // bins of a lane histogram that are scanned together
constexpr int kGroups = kBlock / kWidth;
constexpr int kMaxBlocks = (kMaxBinsWithMissing + kBlock - 1) / kBlock;

/// The squared gradient sums of kBlock candidates.
struct Squares {
  Doubles left[kGroups], right[kGroups];
};

// Running sums of kBlock bins in eight lanes (or four), turned so that component k is a row of kBlock integers.
#if defined(__AVX2__)
using Row = __m256i;

/// Element i of result k: element k of rows[i].
void transpose(const __m256i (&rows)[kBlock], Row (&result)[kBlock]) {
  __m256i pairs[kBlock], quads[kBlock];
  for (int i = 0; i < kBlock; i += 2) {
    pairs[i] = _mm256_unpacklo_epi32(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < kBlock; i += 4) {
    quads[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
    quads[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
    quads[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    quads[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    result[i] = _mm256_permute2x128_si256(quads[i], quads[i + 4], 0x20);
    result[i + 4] = _mm256_permute2x128_si256(quads[i], quads[i + 4], 0x31);
  }
}

/// Adds kBlock entries (all lanes of a group) to the sums so far and transposes the running sums.
template <int kLanes>
void running_rows(const std::int32_t* histogram, int lanes, int count, std::int32_t* sums, Row (&result)[kBlock]) {
  __m256i rows[kBlock];
  if constexpr (kLanes == 8) {
    __m256i sum = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums));
    for (int i = 0; i < kBlock; ++i) {
      if (i < count) {
        sum = _mm256_add_epi32(
            sum, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(histogram + std::ptrdiff_t{i} * lanes)));
      }
      rows[i] = sum;
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), sum);
    transpose(rows, result);
  } else {
    __m128i sum = _mm_loadu_si128(reinterpret_cast<const __m128i*>(sums));
    __m128i quads[kBlock];
    for (int i = 0; i < kBlock; ++i) {
      if (i < count) {
        sum = _mm_add_epi32(sum,
                            _mm_loadu_si128(reinterpret_cast<const __m128i*>(histogram + std::ptrdiff_t{i} * lanes)));
      }
      quads[i] = sum;
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(sums), sum);
    for (int i = 0; i < 4; ++i) rows[i] = _mm256_set_m128i(quads[i + 4], quads[i]);
    const __m256i low01 = _mm256_unpacklo_epi32(rows[0], rows[1]), low23 = _mm256_unpacklo_epi32(rows[2], rows[3]);
    const __m256i high01 = _mm256_unpackhi_epi32(rows[0], rows[1]), high23 = _mm256_unpackhi_epi32(rows[2], rows[3]);
    result[0] = _mm256_unpacklo_epi64(low01, low23);
    result[1] = _mm256_unpackhi_epi64(low01, low23);
    result[2] = _mm256_unpacklo_epi64(high01, high23);
    result[3] = _mm256_unpackhi_epi64(high01, high23);
  }
}

#if defined(__AVX512F__)
Doubles doubles_of(const Row& row, int /*group*/) { return _mm512_cvtepi32_pd(row); }
#else
Doubles doubles_of(const Row& row, int group) {
  return _mm256_cvtepi32_pd(group == 0 ? _mm256_castsi256_si128(row) : _mm256_extracti128_si256(row, 1));
}
#endif
#else
struct Row {
  std::int32_t bins[kBlock];
};

template <int kLanes>
void running_rows(const std::int32_t* histogram, int lanes, int count, std::int32_t* sums, Row (&result)[kBlock]) {
  for (int i = 0; i < kBlock; ++i) {
    for (int k = 0; k < kLanes; ++k) {
      if (i < count) sums[k] += histogram[std::ptrdiff_t{i} * lanes + k];
      result[k].bins[i] = sums[k];
    }
  }
}

Doubles doubles_of(const Row& row, int group) { return row.bins[group]; }
#endif

/// Bit i: block i of kBlock bins has rows. The first always counts.
std::uint64_t blocks_with_rows(const std::int32_t* histogram, int width, int lanes, int count) {
  std::uint64_t blocks = 1;
  for (int b = 0; b < count; ++b) {
    blocks |= static_cast<std::uint64_t>(histogram[std::ptrdiff_t{b} * lanes + width] != 0) << (b / kBlock);
  }
  return blocks;
}

/// kLanes: lanes of a group; four if there is only one group of four.
template <int kLanes>
Split scan_lanes(const std::int32_t* histogram, const std::int32_t* total, int width, int lanes,
                 const SplitInput& input) {
  const std::int32_t* missing = histogram + std::ptrdiff_t{input.n_bins} * lanes;
  const bool any_missing = missing[width] != 0;
  const int count = candidate_count(input, any_missing);
  // Empty blocks have the same candidates as the block before.
  const std::uint64_t used = blocks_with_rows(histogram, width, lanes, count);
  Search search(input, total[width]);
  Squares so_far[kMaxBlocks];  // from the second group of lanes on
  for (int direction = 0; direction < (any_missing ? 2 : 1); ++direction) {
    for (int first = 0; first <= width; first += kLanes) {
      const bool last_group = width - first < kLanes;
      const int components = last_group ? width - first : kLanes;
      alignas(32) std::int32_t sums[kLanes];
      for (int k = 0; k < kLanes; ++k) sums[k] = direction == 1 ? missing[first + k] : 0;
      for (int b = 0; b < count; b += kBlock) {
        if (((used >> (b / kBlock)) & 1U) == 0) continue;
        const std::int32_t* block = histogram + std::ptrdiff_t{b} * lanes + first;
        Row rows[kBlock];
        if (count - b >= kBlock) {
          running_rows<kLanes>(block, lanes, kBlock, sums, rows);
        } else {
          running_rows<kLanes>(block, lanes, count - b, sums, rows);
        }
        Squares squares = first == 0 ? Squares{} : so_far[b / kBlock];
        for (int k = 0; k < components; ++k) {
          const Doubles all_rows = all(total[first + k]);
          for (int g = 0; g < kGroups; ++g) {
            const Doubles left = doubles_of(rows[k], g);
            const Doubles right = all_rows - left;
            squares.left[g] += left * left;
            squares.right[g] += right * right;
          }
        }
        if (!last_group) {
          so_far[b / kBlock] = squares;
          continue;
        }
        for (int g = 0; g < kGroups; ++g) {
          search.consider(doubles_of(rows[components], g), squares.left[g], squares.right[g], b + g * kWidth,
                          direction == 1);
        }
      }
    }
  }
  return search.best();
}

}  // namespace

Split best_split_lanes(const std::int32_t* histogram, const std::int32_t* total, int width, int lanes,
                       const SplitInput& input) {
  return lanes == 4 ? scan_lanes<4>(histogram, total, width, lanes, input)
                    : scan_lanes<8>(histogram, total, width, lanes, input);
}

}  // namespace treecca::TREECCA_KERNEL_VARIANT
