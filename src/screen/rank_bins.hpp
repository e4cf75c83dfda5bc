// Few bins per feature, for tables of pairs: about equal counts, equal values together.
//
// Made from the histogram bins of a view (data/binning.hpp), whose order is that of the values: screening sees no
// difference that trees could not see. A bin has at least sqrt(N) rows. Missing values are a bin of their own (the
// last) where they are so many, else they join the middle one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "data/binning.hpp"
#include "samples/samples.hpp"

namespace treecca {

inline constexpr int kRankBins = 6;                 // for values
inline constexpr int kMaxRankBins = kRankBins + 1;  // and one for missing values

struct RankBins {
  int count = 1;                            // 1: nothing can be told from this feature
  std::array<std::uint8_t, 256> of_code{};  // bin of every code of the histogram bins
};

/// `counts`: rows with each code, missing ones last.
RankBins rank_bins(const std::vector<Index>& counts);

/// The same for a category: its most frequent levels are bins, and all others are one together. Missing values join
/// that one (or the least frequent level) where they are few.
RankBins level_bins(const std::vector<Index>& counts);

/// Of every feature of a view, in the rows that have it (number: of the view in `samples`).
std::vector<RankBins> rank_bins(const BinnedView& view, Threads threads, const Samples& samples = Samples(),
                                Index number = 0);

}  // namespace treecca
