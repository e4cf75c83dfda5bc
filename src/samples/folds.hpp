// One split of the samples into folds.
//
// With cross-fitting every row is in one of F folds, and encoder f is trained without fold f. Without, there is one
// fold that holds all rows and every encoder sees all of them. Rows of a group share a fold. A split may leave rows
// out: no encoder is trained on them and no moment counts them, but every encoder embeds them. Balanced and
// reproducible: a function of the seed, the groups and the numbers of the rows, not of where they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "samples/row_index.hpp"
#include "samples/samples.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Rows by fold: fold f has rows order[begin[f]] to order[begin[f + 1] - 1], ascending.
struct FoldRows {
  std::vector<RowIndex> order;
  std::vector<Index> begin;  // count + 1
};

struct Folds : FoldRows {            // all rows that are in a fold
  const Samples* samples = nullptr;  // must outlive the folds; everything below describes the rows of this process
  int count = 1;
  bool held_out = false;          // true: encoder f is trained without fold f
  std::vector<int> of_row;        // N; -1: the row is left out
  std::vector<FoldRows> of_pair;  // M x M: of these, the rows that have both views; empty if all rows have all views

  Index rows() const { return static_cast<Index>(of_row.size()); }
  /// Whether encoder `fold` may learn from a row.
  bool trains_on(int fold, Index row) const {
    const int own = of_row[static_cast<std::size_t>(row)];
    return own >= 0 && !(held_out && own == fold);
  }
  /// Whether encoder `fold` of a view may: the row has the view, and another one for its target.
  bool trains_on(Index view, int fold, Index row) const { return trains_on(fold, row) && samples->paired(view, row); }
  /// Whether a row is in a fold and has the view.
  bool counts(Index view, Index row) const {
    return of_row[static_cast<std::size_t>(row)] >= 0 && samples->has(view, row);
  }
  /// The rows that two views share (v = w: that a view has), by fold.
  const FoldRows& shared(Index v, Index w) const;

  /// One fold that holds all rows.
  static Folds all_rows(const Samples& samples);
  /// From the fold of every row.
  static Folds assigned(const Samples& samples, int count, bool held_out, std::vector<int> of_row);
};

/// folds = 0: one fold without held-out rows. `left_out`: empty, or N flags, true for rows that are in no fold.
/// Rows without weight are dealt out last, groups without weight fill no fold. Where rows lack views, every fold gets
/// its share of each set of views. Collective. Failure: DataError when there are fewer than two rows per fold, or fewer
/// groups than folds, or fewer than two rows that two views share in a fold.
Folds make_folds(const Samples& samples, Index folds, std::uint64_t seed, const std::vector<bool>& left_out = {});

/// Folds of one repeat, if there are as many groups.
inline constexpr Index kPartsPerRepeat = 5;

/// How many parts each repeat has: kPartsPerRepeat, or one per independent sample (group) where these are fewer.
Index parts_per_repeat(const Samples& samples);

/// Parts are fitted to the groups outside a fold, in three folds of their own: four groups at least.
bool too_few_groups_for_parts(const Samples& samples);

/// Seed of what is drawn for part number `part` alone. At most 2^53.
std::uint64_t seed_of_part(std::uint64_t seed, Index part);

/// `repeats` random splits of the samples into J = parts_per_repeat folds. Part r * J + j leaves out the rows of fold j
/// of repeat r and splits the others into `inner` folds. Collective. Failure: as make_folds.
std::vector<Folds> make_parts(const Samples& samples, Index repeats, Index inner, std::uint64_t seed);

}  // namespace treecca
