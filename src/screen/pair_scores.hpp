// Finds the best pair of every feature, for several sets of rows at once.
//
// Scores are chi-square statistics as standard normal deviates (Wilson-Hilferty). The bins of a feature are made from
// all rows. They use one view alone, so they contain no information on the pairing of a fold's rows. Deterministic for
// any number of threads: of pairs with equal scores, the first is chosen.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/binning.hpp"
#include "samples/row_index.hpp"
#include "screen/rank_bins.hpp"
#include "support/threads.hpp"

namespace treecca {

/// A chi-square statistic as a standard normal deviate.
double normal_deviate(double chi_square, int degrees_of_freedom);

/// The order in which rows are counted, which may differ between views (permutations).
struct RowOrder {
  std::vector<std::vector<RowIndex>> rows;  // per view: N
  std::vector<Index> fold_begin;            // offsets into `rows`: one block of all rows, or one per fold
  bool without_each_fold = false;           // scores are also computed without the rows of each fold
};

struct ViewScores {
  /// [set][feature]; set 0: all rows, set 1 + f: without fold f. Minus infinity: the feature cannot be judged.
  std::vector<std::vector<float>> score;
  std::vector<std::int32_t> partner_view;  // of set 0; -1: none
  std::vector<std::int32_t> partner;
};

/// `weights`: empty, or one per row of the first view's order. Views whose order is empty are left out.
std::vector<ViewScores> pair_scores(const std::vector<BinnedView>& views,
                                    const std::vector<std::vector<RankBins>>& bins, const RowOrder& order,
                                    std::span<const float> weights, Threads threads);

/// The same if rows lack views: every pair of views on the rows that both have. shared(v, w): the order of these rows
/// for v < w, empty for the other views.
std::vector<ViewScores> pair_scores_where_shared(const std::vector<BinnedView>& views,
                                                 const std::vector<std::vector<RankBins>>& bins,
                                                 const std::function<RowOrder(std::size_t, std::size_t)>& shared,
                                                 std::span<const float> weights, Threads threads);

}  // namespace treecca
