#include "samples/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "support/random.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Up to this size rows are assigned one by one, which needs an order of all rows; beyond it each row is assigned by a
/// random number, and folds differ by a few thousand rows.
constexpr Index kMaxDealtRows = Index{1} << 24;

/// For each set of views that rows have, the number of its rows in each group. Empty if all rows have all views.
std::vector<std::map<std::int64_t, double>> rows_of_patterns(const Samples& samples,
                                                             const std::vector<bool>& left_out) {
  std::vector<std::map<std::int64_t, double>> result;
  for (Index pattern = 0; pattern < samples.patterns(); ++pattern) {
    std::map<std::int64_t, double> own;
    for (Index i = 0; i < samples.here(); ++i) {
      if (samples.pattern(i) != pattern || (!left_out.empty() && left_out[static_cast<std::size_t>(i)])) continue;
      own[samples.groups()[static_cast<std::size_t>(i)]] += samples.weight(i) > 0 ? 1 : 0;
    }
    result.push_back(summed_by_key(own, samples.peers()));
  }
  return result;
}

/// Greedy: the largest group first, always into the fold with the fewest rows; equal groups in random order. Rows with
/// weight 0 do not count.
std::vector<int> assign_groups(const Samples& samples, const std::vector<bool>& left_out, Index folds,
                               std::uint64_t seed) {
  const std::span<const std::int64_t> groups = samples.groups();
  std::map<std::int64_t, double> counts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!left_out.empty() && left_out[i]) continue;
    counts[groups[i]] += samples.weight(static_cast<Index>(i)) > 0 ? 1 : 0;
  }
  const std::map<std::int64_t, double> sizes = summed_by_key(counts, samples.peers());
  const auto filled = std::count_if(sizes.begin(), sizes.end(), [](const auto& group) { return group.second > 0; });
  if (filled < folds) {
    const bool inside = samples.peers().max(left_out.empty() ? 0.0 : 1.0) > 0;  // a part leaves groups out
    const std::string remedy = filled < 3
                                   ? "Add data from more groups."
                                   : fmt::format("Set cross_fit to {} or less, or add data from more groups.", filled);
    throw DataError(fmt::format(
        "{} group{}{} cannot fill {} folds: every fold needs at least one group. {} Do not leave the groups out: "
        "correlations would be inflated.",
        filled, filled == 1 ? "" : "s", inside ? " in a part of the data" : "", folds, remedy));
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
  const std::vector<std::map<std::int64_t, double>> composition = rows_of_patterns(samples, left_out);
  std::vector<Index> load(static_cast<std::size_t>(folds), 0);
  std::vector<std::vector<double>> inside(load.size(), std::vector<double>(composition.size(), 0.0));
  std::map<std::int64_t, int> fold_of_group;
  for (const Group& group : by_size) {
    std::vector<double> own;
    for (const auto& rows : composition) own.push_back(rows.contains(group.id) ? rows.at(group.id) : 0.0);
    // If rows lack views: the fold with the fewest rows that have the same views as the rows of the group.
    const auto fill = [&](std::size_t f) {
      return std::pair{std::inner_product(own.begin(), own.end(), inside[f].begin(), 0.0), load[f]};
    };
    std::size_t lightest = 0;
    for (std::size_t f = 1; f < load.size(); ++f) {
      if (fill(f) < fill(lightest)) lightest = f;
    }
    load[lightest] += group.size;
    for (std::size_t p = 0; p < own.size(); ++p) inside[lightest][p] += own[p];
    fold_of_group[group.id] = static_cast<int>(lightest);
  }
  std::vector<int> of_row;
  of_row.reserve(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    of_row.push_back(!left_out.empty() && left_out[i] ? -1 : fold_of_group[groups[i]]);
  }
  return of_row;
}

/// For all rows of all processes, by number: whether `is_true` holds. Collective.
template <class IsTrue>
std::vector<bool> by_number(const Samples& samples, IsTrue&& is_true) {
  std::vector<double> flags(static_cast<std::size_t>(samples.total()), 0.0);
  for (Index i = 0; i < samples.here(); ++i) {
    if (is_true(i)) flags[static_cast<std::size_t>(samples.number(i))] = 1;
  }
  samples.peers().max(flags);
  return {flags.begin(), flags.end()};
}

std::vector<int> assign_rows(const Samples& samples, const std::vector<bool>& left_out, Index folds,
                             std::uint64_t seed) {
  const RandomKey key(seed, Draw::folds);
  std::vector<int> of_row(static_cast<std::size_t>(samples.here()), -1);
  if (samples.total() > kMaxDealtRows) {
    for (std::size_t i = 0; i < of_row.size(); ++i) {
      if (!left_out.empty() && left_out[i]) continue;
      const auto number = static_cast<std::uint64_t>(samples.number(static_cast<Index>(i)));
      of_row[i] = static_cast<int>(key.bits(number) % static_cast<std::uint64_t>(folds));
    }
    return of_row;
  }
  std::vector<Index> shuffled(static_cast<std::size_t>(samples.total()));
  std::iota(shuffled.begin(), shuffled.end(), Index{0});
  if (samples.peers().max(left_out.empty() ? 0.0 : 1.0) > 0) {
    const std::vector<bool> absent =
        by_number(samples, [&](Index i) { return !left_out.empty() && left_out[static_cast<std::size_t>(i)]; });
    std::erase_if(shuffled, [&](Index number) { return absent[static_cast<std::size_t>(number)]; });
  }
  std::sort(shuffled.begin(), shuffled.end(), [&](Index a, Index b) {
    const auto draw_a = key.bits(static_cast<std::uint64_t>(a));
    const auto draw_b = key.bits(static_cast<std::uint64_t>(b));
    return draw_a != draw_b ? draw_a < draw_b : a < b;
  });
  if (!samples.complete()) {  // rows with the same views are assigned together, evenly over the folds
    std::vector<double> pattern(static_cast<std::size_t>(samples.total()), 0.0);
    for (Index i = 0; i < samples.here(); ++i) {
      pattern[static_cast<std::size_t>(samples.number(i))] = static_cast<double>(samples.pattern(i));
    }
    samples.peers().max(pattern);
    std::stable_sort(shuffled.begin(), shuffled.end(), [&](Index a, Index b) {
      return pattern[static_cast<std::size_t>(a)] < pattern[static_cast<std::size_t>(b)];
    });
  }
  if (samples.total_units() > 0) {  // rows with weight 0 come last, so that the others are spread evenly
    const std::vector<bool> weightless = by_number(samples, [&](Index i) { return !(samples.weight(i) > 0); });
    std::stable_partition(shuffled.begin(), shuffled.end(),
                          [&](Index number) { return !weightless[static_cast<std::size_t>(number)]; });
  }
  std::vector<int> of_number(static_cast<std::size_t>(samples.total()), -1);
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    of_number[static_cast<std::size_t>(shuffled[i])] = static_cast<int>(static_cast<Index>(i) % folds);
  }
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    of_row[i] = of_number[static_cast<std::size_t>(samples.number(static_cast<Index>(i)))];
  }
  return of_row;
}

/// The rows for which `keep` is true.
template <class Keep>
FoldRows sorted_by_fold(int count, const std::vector<int>& of_row, Keep&& keep) {
  FoldRows result;
  result.begin.assign(static_cast<std::size_t>(count) + 1, 0);
  const auto kept = [&](std::size_t i) { return of_row[i] >= 0 && keep(static_cast<Index>(i)); };
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    if (kept(i)) ++result.begin[static_cast<std::size_t>(of_row[i]) + 1];
  }
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<Index> next(result.begin.begin(), result.begin.end() - 1);
  result.order.resize(static_cast<std::size_t>(result.begin.back()));
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    if (kept(i))
      result.order[static_cast<std::size_t>(next[static_cast<std::size_t>(of_row[i])]++)] = static_cast<RowIndex>(i);
  }
  return result;
}

/// Two views that share fewer than two rows in a fold cannot be compared in it.
void check_shared(const Folds& folds) {
  const Samples& samples = *folds.samples;
  for (Index v = 0; v < samples.n_views(); ++v) {
    for (Index w = v + 1; w < samples.n_views(); ++w) {
      const std::vector<Index>& begin = folds.shared(v, w).begin;
      for (int f = 0; f < folds.count; ++f) {
        const Index rows =
            samples.peers().sum(begin[static_cast<std::size_t>(f) + 1] - begin[static_cast<std::size_t>(f)]);
        if (rows >= 2) continue;
        const std::vector<std::string>& names = samples.view_names();
        throw DataError(fmt::format(
            "Views {} and {} share {} samples, too few for {} folds{}: every fold needs two. Add samples that have "
            "both views{}.",
            in_quotes(names[static_cast<std::size_t>(v)]), in_quotes(names[static_cast<std::size_t>(w)]),
            samples.shared(v, w).rows, folds.count, samples.grouped() ? " of whole groups" : "",
            folds.count > 2 ? ", or use fewer folds (preset=plain with a lower cross_fit)" : ""));
      }
    }
  }
}

}  // namespace

const FoldRows& Folds::shared(Index v, Index w) const {
  return of_pair.empty() ? *this : of_pair[static_cast<std::size_t>(v * samples->n_views() + w)];
}

Folds Folds::assigned(const Samples& samples, int count, bool held_out, std::vector<int> of_row) {
  Folds result;
  result.samples = &samples;
  result.count = count;
  result.held_out = held_out;
  result.of_row = std::move(of_row);
  const auto every = [](Index) { return true; };
  static_cast<FoldRows&>(result) = sorted_by_fold(count, result.of_row, every);
  const Index m = samples.n_views();
  for (Index v = 0; v < m; ++v) {
    for (Index w = 0; w < m; ++w) {
      const auto have_both = [&](Index i) { return samples.has(v, i) && samples.has(w, i); };
      result.of_pair.push_back(sorted_by_fold(count, result.of_row, have_both));
    }
  }
  return result;
}

Folds Folds::all_rows(const Samples& samples) { return make_folds(samples, 0, 0); }

Folds make_folds(const Samples& samples, Index folds, std::uint64_t seed, const std::vector<bool>& left_out) {
  if (folds == 0) {
    std::vector<int> of_row(static_cast<std::size_t>(samples.here()), 0);
    for (std::size_t i = 0; i < left_out.size(); ++i) of_row[i] = left_out[i] ? -1 : 0;
    return Folds::assigned(samples, 1, false, std::move(of_row));
  }
  const Index absent = samples.peers().sum(static_cast<Index>(std::count(left_out.begin(), left_out.end(), true)));
  const Index rows = samples.total() - absent;
  if (rows < 2 * folds) {  // a single row in a fold is its own mean: all correlations would be 0
    constexpr Index kMostUseful = 20;
    throw DataError(
        fmt::format("cross_fit = {}: there are {} rows{}, and every fold needs at least two. {}", folds, rows,
                    absent > 0 ? " in a part" : "",
                    rows < 6 ? "Add samples." : fmt::format("Use 3 to {} folds.", std::min(kMostUseful, rows / 2))));
  }
  Folds result = Folds::assigned(
      samples, static_cast<int>(folds), true,
      samples.grouped() ? assign_groups(samples, left_out, folds, seed) : assign_rows(samples, left_out, folds, seed));
  check_shared(result);
  return result;
}

Index parts_per_repeat(const Samples& samples) { return std::min(kPartsPerRepeat, samples.independent()); }

bool too_few_groups_for_parts(const Samples& samples) { return samples.grouped() && samples.independent() < 4; }

std::uint64_t seed_of_part(std::uint64_t seed, Index part) {
  return RandomKey(seed, Draw::part, {static_cast<std::uint64_t>(part)}).bits(0) >> 11;
}

std::vector<Folds> make_parts(const Samples& samples, Index repeats, Index inner, std::uint64_t seed) {
  const Index count = parts_per_repeat(samples);
  std::vector<Folds> parts;
  for (Index r = 0; r < repeats; ++r) {
    const std::uint64_t own = RandomKey(seed, Draw::repeat, {static_cast<std::uint64_t>(r)}).bits(0);
    const Folds split = make_folds(samples, count, own);
    for (Index j = 0; j < count; ++j) {
      std::vector<bool> left_out;
      for (const int fold : split.of_row) left_out.push_back(fold == static_cast<int>(j));
      parts.push_back(make_folds(samples, inner, seed_of_part(seed, static_cast<Index>(parts.size())), left_out));
    }
  }
  return parts;
}

}  // namespace treecca
