#include "screen/rank_bins.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/parallel.hpp"

namespace treecca {
namespace {

/// Divides counts into consecutive groups of at least `least` rows and about equal size; returns where each begins.
/// Greedy from the left: a group ends where its count is nearest to an equal share of the remaining rows.
std::vector<std::size_t> equal_groups(const std::vector<Index>& counts, Index rows, Index least) {
  std::vector<std::size_t> begins;
  Index left = rows;
  std::size_t at = 0;
  for (Index groups = std::min<Index>(kRankBins, rows / least); groups >= 1 && left >= least; --groups) {
    begins.push_back(at);
    if (groups == 1) break;
    const double share = std::max(static_cast<double>(left) / static_cast<double>(groups), static_cast<double>(least));
    Index inside = 0;
    while (at < counts.size()) {
      const Index with_next = inside + counts[at];
      const bool nearer =
          std::abs(static_cast<double>(with_next) - share) <= std::abs(static_cast<double>(inside) - share);
      if (inside >= least && !nearer) break;
      inside = with_next;
      ++at;
    }
    left -= inside;
  }
  return begins;
}

}  // namespace

RankBins rank_bins(const std::vector<Index>& counts) {
  RankBins bins;
  const std::vector<Index> values(counts.begin(), counts.end() - 1);
  const Index missing = counts.back();
  const Index present = std::accumulate(values.begin(), values.end(), Index{0});
  const auto least = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(present + missing))));
  const std::vector<std::size_t> begins = equal_groups(values, present, least);
  int bin = -1;
  for (std::size_t code = 0; code < values.size(); ++code) {
    while (bin + 1 < static_cast<int>(begins.size()) && begins[static_cast<std::size_t>(bin) + 1] <= code) ++bin;
    bins.of_code[code] = static_cast<std::uint8_t>(std::max(bin, 0));
  }
  bins.count = std::max(1, static_cast<int>(begins.size()));
  if (missing >= least && present >= least) {
    bins.of_code[values.size()] = static_cast<std::uint8_t>(bins.count++);
  } else {
    bins.of_code[values.size()] = static_cast<std::uint8_t>(bins.count / 2);
  }
  return bins;
}

RankBins level_bins(const std::vector<Index>& counts) {
  RankBins bins;
  const std::size_t levels = counts.size() - 1;
  const Index missing = counts.back();
  const Index rows = std::accumulate(counts.begin(), counts.end(), Index{0});
  const auto least = static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(rows))));
  std::vector<std::size_t> order(levels);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  const auto frequent = static_cast<std::size_t>(
      std::count_if(counts.begin(), counts.end() - 1, [&](Index count) { return count >= least; }));
  const auto rest_beyond = [&](std::size_t own) {
    Index rest = 0;
    for (std::size_t at = own; at < levels; ++at) rest += counts[order[at]];
    return rest;
  };
  std::size_t own = std::min<std::size_t>(frequent, kRankBins);
  if (own == kRankBins && rest_beyond(own) >= least) --own;
  const bool rest_is_bin = rest_beyond(own) >= least;
  bins.count = std::max(1, static_cast<int>(own) + (rest_is_bin ? 1 : 0));
  for (std::size_t at = 0; at < levels; ++at) {
    bins.of_code[order[at]] = static_cast<std::uint8_t>(std::min(at, static_cast<std::size_t>(bins.count) - 1));
  }
  const bool missing_is_bin = missing >= least && rows - missing >= least;
  bins.of_code[levels] = static_cast<std::uint8_t>(missing_is_bin ? bins.count++ : bins.count - 1);
  return bins;
}

std::vector<RankBins> rank_bins(const BinnedView& view, Threads threads, const Samples& samples, Index number) {
  std::vector<RankBins> bins(static_cast<std::size_t>(view.features()));
  parallel_for(view.features(), threads, [&](Index j) {
    std::vector<Index> counts(static_cast<std::size_t>(view.n_bins(j)) + 1, 0);
    const std::uint8_t* codes = view.column(j);
    for (Index i = 0; i < view.rows(); ++i) counts[codes[i]] += samples.has(number, i) ? 1 : 0;
    bins[static_cast<std::size_t>(j)] = view.is_category(j) ? level_bins(counts) : rank_bins(counts);
  });
  return bins;
}

}  // namespace treecca
