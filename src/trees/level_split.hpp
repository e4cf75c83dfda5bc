// Finds the best split of a category in one node: the set of levels that go left.
//
// The gain is that of any split (grow.hpp). Entries are the levels with rows in the node, and the missing values if
// there are any; they have 2^(entries - 1) - 1 splits.
//   Up to four levels: all splits are tried.
//   More levels: only splits along an order of the entries are tried, one fewer than there are entries. With one output
// the order is by mean gradient; the best of all sets is then among these splits (the gain is convex in the sums of the
// left side). With several outputs the best set is separated from the rest by some direction in the space of mean
// gradients: the first direction is their principal axis, and each next one joins the means of the two sides of the
// best split so far, while the gain increases. Levels with few rows, whose means are mostly noise, then share one
// entry.
// Levels without rows in the node follow the missing values.
// Pure functions of the sums, in double precision and a fixed order: the same for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/tree.hpp"
#include "trees/kernels.hpp"

namespace treecca {

/// Sums over the rows of a node, in the units of the histogram. The last entry is for missing values.
struct LevelSums {
  Index width = 1;
  std::vector<double> count;      // levels + 1
  std::vector<double> gradients;  // (levels + 1) x width

  Index entries() const { return static_cast<Index>(count.size()); }
  const double* gradient(Index entry) const { return gradients.data() + entry * width; }
};

/// Maximum number of levels with rows in a node for which all sets are tried.
inline constexpr Index kMostLevelsToTry = 4;

struct LevelSplit {
  double score = -1.0;  // as Split::score; -1: no split is allowed
  LevelSet left;        // levels with rows in the node
  bool missing_left = false;
};

/// Of equal scores, the first one found. Ignores input.n_bins. least: minimum rows (in units) of a level with its own
/// entry, if there are many levels.
LevelSplit best_level_split(const LevelSums& sums, const SplitInput& input, double least);

}  // namespace treecca
