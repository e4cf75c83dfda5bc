// Tables of pairs of features and their chi-square statistics: the hot loop of screening, one set per instruction set.
//
// Rows stand in `folds` consecutive blocks. Statistics are wanted for `sets` sets of rows: all of them, and (when
// sets > 1) all but fold 0, all but fold 1, ...: the tables of the folds are counted once, sums and differences give all
// others. A statistic is
//     scale[set] * (sum over cells of O^2 / (R C) - 1),
// which is chi-square when scale is the number of rows. Margins are given as 1/R (0 for an empty bin).
// Thread-safe; allocate nothing. All instruction sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace treecca {

struct Kernels;

inline constexpr int kTableSide = 8;  // bins of a feature, padded

/// Which rows.
struct ScreenRows {
  int folds;
  int sets;                          // 1, or 1 + folds
  const std::ptrdiff_t* begin;       // folds + 1: where the folds' words (bits) or rows (codes) begin
  const float* scale;                // sets
};

/// One feature, in both forms: bits of all its bins but the last, or codes.
struct ScreenFeature {
  const std::uint64_t* bits;   // (bins - 1) x words
  const std::uint8_t* codes;   // rows
  const float* counts;         // folds x kTableSide: rows (their weight) per bin
  const float* inverse;        // sets x kTableSide: 1 / rows per bin, 0 where there are none
};

struct ScreenKernels {
  /// Statistics of one feature with n others, all of which have `bins_b` bins: out[i * sets + set]. `tables` is room
  /// for (folds + 1) x kTableSide x kTableSide floats.
  void (*pairs_of_bits)(const ScreenRows& rows, const ScreenFeature& a, int bins_a, const ScreenFeature* b,
                        std::ptrdiff_t n, int bins_b, float* tables, float* out);
  /// The same from codes and weights of the rows.
  void (*pairs_of_codes)(const ScreenRows& rows, const float* weights, const ScreenFeature& a, int bins_a,
                         const ScreenFeature* b, std::ptrdiff_t n, int bins_b, float* tables, float* out);
};

/// The set that goes with these tree kernels: one choice of instructions for the whole program.
const ScreenKernels& screen_kernels(const Kernels& chosen);
const ScreenKernels& screen_kernels();

}  // namespace treecca
