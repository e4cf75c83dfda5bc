// Counts tables of pairs of features and computes their chi-square statistics: the hot loop of screening, compiled for
// each instruction set.
// One feature is compared with kLanes others at a time, all with the same number of bins. Rows are in `folds`
// consecutive blocks. Statistics are computed for `sets` sets of rows: all rows and, if sets > 1, all rows except each
// fold. The tables of the folds are counted once; sums and differences give all other tables. A statistic is
//     scale[set] * (sum over cells of O^2 / (R C) - 1),
// which is chi-square if scale is the number of rows. Margins are given as 1/R (0 for an empty bin).
// Thread-safe; allocates nothing. All instruction sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/instruction_set.hpp"

namespace treecca {

inline constexpr int kLanes = 8;      // features compared at a time
inline constexpr int kTableSide = 7;  // maximum number of bins of a feature

/// The rows to count.
struct PairRows {
  int folds;
  int sets;                     // 1, or 1 + folds
  const std::ptrdiff_t* begin;  // folds + 1: where the folds' words (bits) or rows (codes) begin
  const float* scale;           // sets
};

/// One feature (lanes = 1), or kLanes of them interleaved: the innermost index is the lane. Bits or codes, as the
/// kernel needs.
struct PairFeatures {
  const std::uint64_t* bits;  // (bins - 1) x words: rows in every bin but the last
  const std::uint8_t* codes;  // rows
  const float* counts;        // folds x kTableSide: rows (or their weight) per bin
  const float* inverse;       // sets x kTableSide: 1 / rows per bin, 0 for an empty bin
};

/// Number of floats that a kernel needs for its tables.
inline std::ptrdiff_t pair_table_size(int folds) {
  return static_cast<std::ptrdiff_t>(folds + 1) * kTableSide * kTableSide * kLanes;
}

struct PairKernels {
  /// Statistics of one feature with kLanes others: out[set * kLanes + lane].
  void (*pairs_of_bits)(const PairRows& rows, const PairFeatures& one, int bins_one, const PairFeatures& others,
                        int bins_others, float* tables, float* out);
  /// The same from codes and weights of the rows.
  void (*pairs_of_codes)(const PairRows& rows, const float* weights, const PairFeatures& one, int bins_one,
                         const PairFeatures& others, int bins_others, float* tables, float* out);
};

const PairKernels& pair_kernels(InstructionSet set = instruction_set());

}  // namespace treecca
