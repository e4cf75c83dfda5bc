#include "samples/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "samples/totals.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Up to here rows are dealt out one by one, which takes an order of all of them; beyond it the draw of a row alone
/// says where it goes, and folds differ by chance in a few thousand rows.
constexpr Index kMaxDealtRows = Index{1} << 24;

/// Greedy: the largest group first, always into the fold with the fewest rows; equals in random order.
std::vector<int> assign_groups(const std::vector<std::int64_t>& groups, const Peers& peers, Index folds,
                               std::uint64_t seed) {
  std::map<std::int64_t, double> counts;
  for (const std::int64_t group : groups) counts[group] += 1;
  const std::map<std::int64_t, double> sizes = summed_by_key(counts, peers);
  if (static_cast<Index>(sizes.size()) < folds) {
    const std::string way_out = sizes.size() < 2 ? "" : fmt::format("Set cross_fit to {} or less, or ", sizes.size());
    throw DataError(
        fmt::format("There {} {} group{} but cross_fit asks for {} folds: every fold needs at least one group. {} the "
                    "groups out, or "
                    "switch cross-fitting off (cross_fit = 0).",
                    sizes.size() == 1 ? "is" : "are", sizes.size(), sizes.size() == 1 ? "" : "s", folds,
                    way_out.empty() ? "Leave" : way_out + "leave"));
  }
  struct Group {
    std::int64_t id;
    Index size;
    std::uint64_t draw;
  };
  std::vector<Group> by_size;
  const RandomKey key(seed, Draw::folds);
  for (const auto& [id, size] : sizes) {
    by_size.push_back({id, static_cast<Index>(size), key.bits(static_cast<std::uint64_t>(id))});
  }
  std::sort(by_size.begin(), by_size.end(), [](const Group& a, const Group& b) {
    if (a.size != b.size) return a.size > b.size;
    return a.draw != b.draw ? a.draw < b.draw : a.id < b.id;
  });
  std::vector<Index> load(static_cast<std::size_t>(folds), 0);
  std::map<std::int64_t, int> fold_of_group;
  for (const Group& group : by_size) {
    const auto lightest = std::min_element(load.begin(), load.end());
    *lightest += group.size;
    fold_of_group[group.id] = static_cast<int>(lightest - load.begin());
  }
  std::vector<int> of_row;
  of_row.reserve(groups.size());
  for (const std::int64_t group : groups) of_row.push_back(fold_of_group[group]);
  return of_row;
}

std::vector<int> assign_rows(const Shard& shard, Index folds, std::uint64_t seed) {
  const RandomKey key(seed, Draw::folds);
  std::vector<int> of_row(static_cast<std::size_t>(shard.rows()));
  if (shard.total() > kMaxDealtRows) {
    for (Index i = 0; i < shard.rows(); ++i) {
      of_row[i] =
          static_cast<int>(key.bits(static_cast<std::uint64_t>(shard.number(i))) % static_cast<std::uint64_t>(folds));
    }
    return of_row;
  }
  std::vector<Index> shuffled(static_cast<std::size_t>(shard.total()));
  std::iota(shuffled.begin(), shuffled.end(), Index{0});
  std::sort(shuffled.begin(), shuffled.end(), [&](Index a, Index b) {
    const auto draw_a = key.bits(static_cast<std::uint64_t>(a));
    const auto draw_b = key.bits(static_cast<std::uint64_t>(b));
    return draw_a != draw_b ? draw_a < draw_b : a < b;
  });
  std::vector<int> of_number(shuffled.size());
  for (Index i = 0; i < shard.total(); ++i) of_number[shuffled[i]] = static_cast<int>(i % folds);
  for (Index i = 0; i < shard.rows(); ++i) of_row[i] = of_number[static_cast<std::size_t>(shard.number(i))];
  return of_row;
}

}  // namespace

Folds make_folds(const Shard& shard, Index folds, const std::vector<std::int64_t>& groups, std::uint64_t seed) {
  const Index n_rows = shard.rows();
  if (shard.total() < folds) {
    throw DataError(fmt::format("There are {} rows but cross_fit asks for {} folds. Set cross_fit to {} or less.",
                                shard.total(), folds, shard.total()));
  }
  const bool grouped = shard.peers().max(groups.empty() ? 0.0 : 1.0) > 0;
  Folds result;
  result.shard = shard;
  result.held_out = folds > 0;
  result.count = static_cast<int>(std::max<Index>(1, folds));
  if (folds == 0) {
    result.of_row.assign(static_cast<std::size_t>(n_rows), 0);
  } else if (!grouped) {
    result.of_row = assign_rows(shard, folds, seed);
  } else {
    result.of_row = assign_groups(groups, shard.peers(), folds, seed);
  }
  result.begin.assign(static_cast<std::size_t>(result.count) + 1, 0);
  for (const int fold : result.of_row) ++result.begin[static_cast<std::size_t>(fold) + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<Index> next(result.begin.begin(), result.begin.end() - 1);
  result.order.resize(static_cast<std::size_t>(n_rows));
  for (Index i = 0; i < n_rows; ++i) result.order[next[result.of_row[i]]++] = static_cast<RowIndex>(i);
  return result;
}

}  // namespace treecca
