// Makes a few bins per feature for tables of pairs: about equal counts, equal values together.
//
// Made from the histogram bins of a view (data/binning.hpp), which are ordered by value, so screening uses no
// differences that trees could not use. A bin has at least sqrt(N) rows. Missing values have their own bin (the last)
// if there are that many, else they join the middle bin.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "data/binning.hpp"
#include "samples/samples.hpp"

namespace treecca {

inline constexpr int kRankBins = 6;                 // for values
inline constexpr int kMaxRankBins = kRankBins + 1;  // and one more for missing values

struct RankBins {
  int count = 1;                            // 1: the feature carries no information
  std::array<std::uint8_t, 256> of_code{};  // bin of each histogram bin code
};

/// `counts`: rows with each code, missing ones last.
RankBins rank_bins(const std::vector<Index>& counts);

/// The same for a category: its most frequent levels are bins, and all others share one. Few missing values join this
/// shared bin (or, without one, the least frequent level).
RankBins level_bins(const std::vector<Index>& counts);

/// For every feature of a view, on the rows that have it (number: the view's number in `samples`).
std::vector<RankBins> rank_bins(const BinnedView& view, Threads threads, const Samples& samples = Samples(),
                                Index number = 0);

}  // namespace treecca
