// Compiled once per instruction set (see cmake/), in a namespace of its own. Includes nothing whose inline functions
// could be shared between differently compiled copies: only the kernels' own header.
#include "select/screen_kernels.hpp"

#ifndef TREECCA_KERNEL_VARIANT
#define TREECCA_KERNEL_VARIANT baseline
#endif

namespace treecca::TREECCA_KERNEL_VARIANT {
namespace {

constexpr int kSide = kTableSide;
constexpr int kCells = kSide * kSide;

using Float8 = float __attribute__((vector_size(32), aligned(4), may_alias));

inline Float8 load(const float* from) { return *reinterpret_cast<const Float8*>(from); }
inline void store(float* to, Float8 values) { *reinterpret_cast<Float8*>(to) = values; }

/// tables: one per fold, and the sum of all behind them.
inline void statistics(const ScreenRows& rows, const ScreenFeature& a, int bins_a, const ScreenFeature& b,
                       const float* tables, float* out) {
  const float* whole = tables + rows.folds * kCells;
  for (int set = 0; set < rows.sets; ++set) {
    const float* inverse_a = a.inverse + set * kSide;
    Float8 sum{};
    for (int row = 0; row < bins_a; ++row) {
      Float8 observed = load(whole + row * kSide);
      if (set > 0) observed -= load(tables + (set - 1) * kCells + row * kSide);
      sum += observed * observed * inverse_a[row];
    }
    sum *= load(b.inverse + set * kSide);
    float total = 0;
    for (int column = 0; column < kSide; ++column) total += sum[column];
    out[set] = rows.scale[set] * (total - 1.0F);
  }
}

inline void add_up(const ScreenRows& rows, int bins_a, float* tables) {
  float* whole = tables + rows.folds * kCells;
  for (int row = 0; row < bins_a; ++row) {
    Float8 sum{};
    for (int fold = 0; fold < rows.folds; ++fold) sum += load(tables + fold * kCells + row * kSide);
    store(whole + row * kSide, sum);
  }
}

/// Rows in bin `row` of a and `column` of b for all but the last of each; those follow from the counts.
template <int kBinsB>
inline void count_bits(const ScreenRows& rows, const ScreenFeature& a, int bins_a, const ScreenFeature& b,
                       float* tables) {
  const std::ptrdiff_t words = rows.begin[rows.folds];
  for (int fold = 0; fold < rows.folds; ++fold) {
    float* table = tables + fold * kCells;
    const float* counts_a = a.counts + fold * kSide;
    Float8 rest = load(b.counts + fold * kSide);
    for (int row = 0; row + 1 < bins_a; ++row) {
      const std::uint64_t* bits_a = a.bits + row * words;
      std::int64_t cells[kBinsB] = {};
      for (std::ptrdiff_t w = rows.begin[fold]; w < rows.begin[fold + 1]; ++w) {
        const std::uint64_t word = bits_a[w];
        for (int column = 0; column + 1 < kBinsB; ++column) {
          cells[column] += __builtin_popcountll(word & b.bits[column * words + w]);
        }
      }
      float line[kSide] = {};
      float last = counts_a[row];
      for (int column = 0; column + 1 < kBinsB; ++column) {
        line[column] = static_cast<float>(cells[column]);
        last -= line[column];
      }
      line[kBinsB - 1] = last;
      const Float8 counted = load(line);
      store(table + row * kSide, counted);
      rest -= counted;
    }
    store(table + (bins_a - 1) * kSide, rest);
  }
}

template <int kBinsB>
void pairs_with(const ScreenRows& rows, const ScreenFeature& a, int bins_a, const ScreenFeature* b, std::ptrdiff_t n,
                float* tables, float* out) {
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    count_bits<kBinsB>(rows, a, bins_a, b[i], tables);
    add_up(rows, bins_a, tables);
    statistics(rows, a, bins_a, b[i], tables, out + i * rows.sets);
  }
}

void pairs_of_bits(const ScreenRows& rows, const ScreenFeature& a, int bins_a, const ScreenFeature* b, std::ptrdiff_t n,
                   int bins_b, float* tables, float* out) {
  switch (bins_b) {
    case 2:
      return pairs_with<2>(rows, a, bins_a, b, n, tables, out);
    case 3:
      return pairs_with<3>(rows, a, bins_a, b, n, tables, out);
    case 4:
      return pairs_with<4>(rows, a, bins_a, b, n, tables, out);
    case 5:
      return pairs_with<5>(rows, a, bins_a, b, n, tables, out);
    case 6:
      return pairs_with<6>(rows, a, bins_a, b, n, tables, out);
    default:
      return pairs_with<7>(rows, a, bins_a, b, n, tables, out);
  }
}

void pairs_of_codes(const ScreenRows& rows, const float* weights, const ScreenFeature& a, int bins_a,
                    const ScreenFeature* b, std::ptrdiff_t n, int /*bins_b*/, float* tables, float* out) {
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (int cell = 0; cell < rows.folds * kCells; ++cell) tables[cell] = 0;
    for (int fold = 0; fold < rows.folds; ++fold) {
      float* table = tables + fold * kCells;
      for (std::ptrdiff_t r = rows.begin[fold]; r < rows.begin[fold + 1]; ++r) {
        table[a.codes[r] * kSide + b[i].codes[r]] += weights[r];
      }
    }
    add_up(rows, bins_a, tables);
    statistics(rows, a, bins_a, b[i], tables, out + i * rows.sets);
  }
}

}  // namespace

extern const ScreenKernels kScreenKernels;
const ScreenKernels kScreenKernels{pairs_of_bits, pairs_of_codes};

}  // namespace treecca::TREECCA_KERNEL_VARIANT
