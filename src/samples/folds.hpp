// Which rows are held out together.
//
// With cross-fitting every row is in one of F folds; rows of one group share a fold. Without, there is one fold that
// holds all rows and no encoder is denied any of them. Balanced and reproducible: a function of the seed and the
// groups.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/row_index.hpp"
#include "samples/shard.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

struct Folds {
  Shard shard = 0;  // the rows here among all; everything below is about the rows here
  int count = 1;
  bool held_out = false;        // true: encoder f is trained without fold f
  std::vector<int> of_row;      // N
  std::vector<RowIndex> order;  // rows sorted by fold, ascending inside each
  std::vector<Index> begin;     // count + 1 offsets into order

  Index rows() const { return static_cast<Index>(of_row.size()); }
};

/// folds = 0: no cross-fitting. `groups` is empty or has an entry per row (in every process, or in none). Failure:
/// DataError when there are fewer rows, or fewer groups, than folds.
Folds make_folds(const Shard& shard, Index folds, const std::vector<std::int64_t>& groups, std::uint64_t seed);

}  // namespace treecca
