// The best split of a category in one node: which of its levels go left.
//
// The gain is that of any split (grow.hpp), so a split is a set of levels. Among entries (levels with rows in the node,
// and the missing values, if some are missing) there are 2^(entries - 1) - 1 of them.
//   Up to four levels: all are tried.
//   More levels: only splits along an order of the entries are, as many as there are entries but one. With one output
// the order is that of the mean gradient, and then the best of all sets is among them (the gain is convex in the sums
// of the left side). With several outputs the best set is separated from the rest by some direction in the space of the
// mean gradients: the first one is their principal axis, and the next ones join the means of the two sides of the best
// split so far, while that gains. Levels with few rows, whose means are mostly noise, then stay together as one entry.
// Levels without rows in the node go the way of missing values.
// Pure functions of the sums, in double precision and one order: the same for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/tree.hpp"
#include "trees/kernels.hpp"

namespace treecca {

/// Sums over the rows of a node, in the units of the histogram. The last entry is that of the missing values.
struct LevelSums {
  Index width = 1;
  std::vector<double> count;      // levels + 1
  std::vector<double> gradients;  // (levels + 1) x width

  Index entries() const { return static_cast<Index>(count.size()); }
  const double* gradient(Index entry) const { return gradients.data() + entry * width; }
};

/// Up to so many levels with rows in a node, all sets of them are tried.
inline constexpr Index kMostLevelsToTry = 4;

struct LevelSplit {
  double score = -1.0;  // as Split::score; -1: no split is allowed
  LevelSet left;        // levels with rows in the node
  bool missing_left = false;
};

/// Of equal scores, the first one found. input.n_bins is not used. least: rows (in units) of a level that has an entry
/// of its own where there are many levels.
LevelSplit best_level_split(const LevelSums& sums, const SplitInput& input, double least);

}  // namespace treecca
