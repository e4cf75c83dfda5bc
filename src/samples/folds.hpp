// Splits the samples into folds.
//
// With cross-fitting every row is in one of F folds, and encoder f is trained without fold f. Without it, one fold
// holds all rows and every encoder sees all of them. Rows of a group share a fold. A split may leave rows out: encoders
// are not trained on these rows and moments do not count them, but every encoder embeds them. Folds are balanced. They
// are a function of the seed, the groups and the numbers of the rows, not of the rows' place in memory.
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
  const Samples* samples = nullptr;  // must outlive the folds; the fields below describe the rows of this process
  int count = 1;
  bool held_out = false;          // true: encoder f is trained without fold f
  std::vector<int> of_row;        // N; -1: the row is left out
  std::vector<FoldRows> of_pair;  // M x M: the rows that have both views; empty if all rows have all views

  Index rows() const { return static_cast<Index>(of_row.size()); }
  /// Whether encoder `fold` may learn from a row.
  bool trains_on(int fold, Index row) const {
    const int own = of_row[static_cast<std::size_t>(row)];
    return own >= 0 && !(held_out && own == fold);
  }
  /// Whether encoder `fold` of a view may learn from a row: the row has the view, and another view for its target.
  bool trains_on(Index view, int fold, Index row) const { return trains_on(fold, row) && samples->paired(view, row); }
  /// Whether a row is in a fold and has the view.
  bool counts(Index view, Index row) const {
    return of_row[static_cast<std::size_t>(row)] >= 0 && samples->has(view, row);
  }
  /// By fold, the rows that have both views (if v = w, the rows that have the view).
  const FoldRows& shared(Index v, Index w) const;

  /// One fold that holds all rows.
  static Folds all_rows(const Samples& samples);
  /// Folds from the fold number of every row.
  static Folds assigned(const Samples& samples, int count, bool held_out, std::vector<int> of_row);
};

/// folds = 0: one fold without held-out rows. `left_out`: empty, or N flags, true for rows that are in no fold.
/// Rows with weight 0 are assigned last, and groups with weight 0 do not fill a fold. If rows lack views, every fold
/// gets its fraction of each set of views. Collective. Failure: DataError if there are fewer than two rows per fold,
/// fewer groups than folds, or a fold with fewer than two rows shared by two views.
Folds make_folds(const Samples& samples, Index folds, std::uint64_t seed, const std::vector<bool>& left_out = {});

/// Number of folds of one repeat if there are enough groups.
inline constexpr Index kPartsPerRepeat = 5;

/// Number of parts of each repeat: kPartsPerRepeat, or one per independent sample (group) if these are fewer.
Index parts_per_repeat(const Samples& samples);

/// Whether there are too few groups for parts. A part is fitted to the groups outside a fold, which need three inner
/// folds.
bool too_few_groups_for_parts(const Samples& samples);

/// Seed for the draws of part number `part`. At most 2^53.
std::uint64_t seed_of_part(std::uint64_t seed, Index part);

/// `repeats` random splits of the samples into J = parts_per_repeat folds. Part r * J + j leaves out the rows of fold j
/// of repeat r and splits the others into `inner` folds. Collective. Failure: as make_folds.
std::vector<Folds> make_parts(const Samples& samples, Index repeats, Index inner, std::uint64_t seed);

}  // namespace treecca
