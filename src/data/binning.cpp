#include "data/binning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "data/columns.hpp"
#include "data/cut_search.hpp"
#include "support/parallel.hpp"
#include "support/sort_floats.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// The fraction of length in the measure that bins share equally; the rest is rows (see cut_into_bins).
constexpr double kLengthShare = 0.25;
constexpr float kAboveAll = std::numeric_limits<float>::max();

/// A float t with low < t <= high, half way between them if possible.
float cut_between(float low, float high) {
  const float middle = low / 2 + high / 2;
  return middle > low && middle <= high ? middle : high;
}

/// A value that bins can hold: missing, or finite with a cut above it.
bool can_be_binned(float value) { return std::isnan(value) || std::fabs(value) < kAboveAll; }

/// Throws for the first value of a column that is infinite.
void check_column(const View& view, Index feature, std::span<const float> column, const Samples* samples) {
  bool sound = true;
  for (const float value : column) sound = sound & can_be_binned(value);
  if (sound) return;
  const Index i = std::find_if_not(column.begin(), column.end(), can_be_binned) - column.begin();
  const std::string name =
      view.feature_names.empty() ? fmt::format("f{}", feature) : view.feature_names[static_cast<std::size_t>(feature)];
  throw DataError(
      fmt::format("View \"{}\", row {}, feature \"{}\": the value is infinite (or beyond single precision). "
                  "Replace it, or mark it as missing.",
                  view.name, (samples != nullptr ? samples->number(i) : i) + 1, name));
}

/// Memory of one thread, reused from column to column.
struct Workspace {
  std::vector<float> columns;  // a group, one after the other
  std::vector<float> sorted;
  std::vector<float> scratch;
  std::vector<ValueCount> distinct;
};

/// Columns that are read together, because neighbours share the cache lines of a row-major table; fewer of long
/// columns, because every thread copies them (64 MB).
Index columns_at_once(Index rows) { return std::clamp<Index>((Index{1} << 24) / std::max<Index>(1, rows), 1, 8); }

/// Calls use(j, column, workspace) for the columns [begin, end), each checked, with -0 as 0, because both are one
/// value.
template <class Use>
void for_each_column(const View& view, Index begin, Index end, Threads threads, const Samples* samples, Use&& use) {
  const MatrixView& values = view.values;
  const Index rows = values.rows();
  const Index most = columns_at_once(rows);
  const Index at_least = (end - begin + most - 1) / most;
  const Index groups = (at_least + threads.count - 1) / threads.count * threads.count;  // equally many for all threads
  const Index width = groups == 0 ? 0 : (end - begin + groups - 1) / groups;
  std::vector<Workspace> workspaces(static_cast<std::size_t>(threads.count));
  parallel_for_workers(groups, threads, [&](Index group, int worker) {
    Workspace& work = workspaces[static_cast<std::size_t>(worker)];
    const Index first = begin + group * width;
    const Index count = std::min(width, end - first);
    if (count <= 0) return;
    work.columns.resize(static_cast<std::size_t>(rows * width));
    for (Index i = 0; i < rows; ++i) {
      for (Index f = 0; f < count; ++f) work.columns[f * rows + i] = values(i, first + f) + 0.0F;
    }
    for (Index f = 0; f < count; ++f) {
      const std::span<const float> column(work.columns.data() + f * rows, static_cast<std::size_t>(rows));
      check_column(view, first + f, column, samples);
      use(first + f, column, work);
    }
  });
}

/// The result is part of the workspace.
const std::vector<ValueCount>& distinct_values_of(std::span<const float> column, Workspace& work) {
  work.sorted.clear();
  std::copy_if(column.begin(), column.end(), std::back_inserter(work.sorted), [](float x) { return !std::isnan(x); });
  sort_floats(work.sorted, work.scratch);
  distinct_values(work.sorted, work.distinct);
  return work.distinct;
}

/// Chooses the ends of the bins: calls close(r) for every value r (except the last) that is the last of its bin.
template <class Close>
void cut_into_bins(const std::vector<ValueCount>& runs, Index max_bin, Close&& close) {
  const auto n_runs = static_cast<Index>(runs.size());
  if (n_runs <= max_bin) {
    for (Index r = 0; r + 1 < n_runs; ++r) close(r);
    return;
  }
  // Each bin gets the same amount of a measure, part rows and part length: bins of equal rows alone would leave the far
  // tails of a feature in a few wide bins, and a strong signal may be there. A bin is closed once it holds its part of
  // the remaining measure, so that a frequent value gets its own bin and the others still spread; the remaining values
  // must suffice for the remaining bins.
  std::uint64_t rows = 0;
  for (const ValueCount& run : runs) rows += run.count;
  const auto n_rows = static_cast<double>(rows);
  const double range = static_cast<double>(runs.back().value) - static_cast<double>(runs.front().value);
  const auto share_of = [&](std::uint32_t count) { return (1 - kLengthShare) * static_cast<double>(count) / n_rows; };
  const double share_of_one = share_of(1);  // the usual count of a measured number: saves a division
  double left = 1.0;
  Index r = 0;
  for (Index bins_left = max_bin; bins_left > 1; --bins_left, ++r) {
    const auto to_close = static_cast<double>(bins_left);
    double in_bin = 0.0;
    for (; r + 1 < n_runs; ++r) {
      const double gap = static_cast<double>(runs[r + 1].value) - static_cast<double>(runs[r].value);
      in_bin += (runs[r].count == 1 ? share_of_one : share_of(runs[r].count)) + kLengthShare * gap / range;
      if (in_bin * to_close >= left || n_runs - r <= bins_left) break;
    }
    if (r + 1 >= n_runs) return;
    close(r);
    left -= in_bin;
  }
}

/// The values of both, ascending; counts of equal values are added.
std::vector<ValueCount> merged(const std::vector<ValueCount>& a, const std::vector<ValueCount>& b) {
  std::vector<ValueCount> result;
  result.reserve(a.size() + b.size());
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (j == b.size() || (i < a.size() && a[i].value < b[j].value)) {
      result.push_back(a[i++]);
    } else if (i == a.size() || b[j].value < a[i].value) {
      result.push_back(b[j++]);
    } else {
      result.push_back({a[i].value, a[i].count + b[j].count});
      ++i;
      ++j;
    }
  }
  return result;
}

/// One bin per level.
std::vector<float> cuts_between_levels(std::size_t levels) {
  std::vector<float> cuts;
  for (std::size_t level = 1; level < levels; ++level) cuts.push_back(static_cast<float>(level) - 0.5F);
  return cuts;
}

/// Some features, with the values or summaries of all processes merged.
std::vector<std::vector<ValueCount>> exchanged(const std::vector<std::vector<ValueCount>>& own, const Peers& peers) {
  std::string bytes;
  for (const std::vector<ValueCount>& values : own) {
    const auto size = static_cast<std::int64_t>(values.size());
    append_bytes(bytes, std::span<const std::int64_t>(&size, 1));
    append_bytes(bytes, std::span<const ValueCount>(values));
  }
  std::vector<std::vector<ValueCount>> all(own.size());
  for (const std::string& part : peers.gather(bytes)) {
    std::size_t at = 0;
    for (std::vector<ValueCount>& values : all) {
      const std::int64_t size = values_from<std::int64_t>(part.substr(at, sizeof(std::int64_t)))[0];
      at += sizeof(std::int64_t);
      const std::size_t length = static_cast<std::size_t>(size) * sizeof(ValueCount);
      values = merged(values, values_from<ValueCount>(part.substr(at, length)));
      at += length;
    }
  }
  return all;
}

}  // namespace

void distinct_values(std::span<const float> sorted, std::vector<ValueCount>& values) {
  values.clear();
  for (const float value : sorted) {
    if (values.empty() || value != values.back().value) values.push_back({value, 0});
    ++values.back().count;
  }
}

std::vector<float> cuts_between(const std::vector<ValueCount>& values, Index max_bin) {
  std::vector<float> cuts;
  cut_into_bins(values, max_bin, [&](Index r) { cuts.push_back(cut_between(values[r].value, values[r + 1].value)); });
  return cuts;
}

std::vector<ValueCount> summary_of(const std::vector<ValueCount>& values, const SketchSize& size) {
  if (static_cast<Index>(values.size()) <= size.exact) return values;
  std::vector<ValueCount> summary;
  Index first = 0;
  const auto close = [&](Index last) {
    std::uint32_t count = 0;
    for (Index r = first; r <= last; ++r) count += values[r].count;
    if (first < last) summary.push_back({values[first].value, count - 1});
    summary.push_back({values[last].value, first < last ? 1 : count});
    first = last + 1;
  };
  cut_into_bins(values, size.points, close);
  close(static_cast<Index>(values.size()) - 1);
  return summary;
}

SketchSize sketch_size(Index features, int processes, Index max_bin) {
  constexpr Index kMost = Index{1} << 20;
  constexpr Index kBytes = Index{1} << 29;  // limit of what a process receives for one view, if possible
  const Index affordable = kBytes / (static_cast<Index>(sizeof(ValueCount)) * processes * std::max<Index>(1, features));
  const Index points = std::clamp(affordable / 2, 4 * max_bin, 8 * max_bin);
  return {points, std::clamp(affordable, 2 * points, std::max(kMost, 2 * points))};
}

BinnedView::BinnedView(const View& view, Index max_bin, Threads threads, const Samples& samples)
    : rows_(view.values.rows()),
      codes_(static_cast<std::size_t>(view.values.rows() * view.values.cols())),
      varies_(static_cast<std::size_t>(view.values.cols()), 0),
      category_(static_cast<std::size_t>(view.values.cols()), 0) {
  const Index n_features = view.values.cols();
  const Peers& peers = samples.peers();
  std::vector<std::vector<float>> cuts(static_cast<std::size_t>(n_features));
  for (std::size_t j = 0; j < view.levels.size(); ++j) category_[j] = view.levels[j].empty() ? 0 : 1;
  // Per feature: has a value, number of rows without one, has two different values; last: number of rows without any
  // value, which are not rows of the view.
  std::vector<double> known(3 * static_cast<std::size_t>(n_features) + 1, 0.0);
  const auto finish = [&](Index j, std::span<const float> column, const std::vector<ValueCount>& values) {
    cuts[j] = is_category(j) ? cuts_between_levels(view.levels[static_cast<std::size_t>(j)].size())
                             : cuts_between(values, max_bin);
    known[j] = values.empty() ? 0 : 1;
    known[n_features + j] = static_cast<double>(encode(j, column, cuts[j]));
    known[2 * n_features + j] = values.size() > 1 ? 1 : 0;
  };
  if (peers.alone()) {
    for_each_column(view, 0, n_features, threads, nullptr,
                    [&](Index j, std::span<const float> column, Workspace& work) {
                      finish(j, column, distinct_values_of(column, work));
                    });
  } else {
    const SketchSize size = sketch_size(n_features, peers.size(), max_bin);
    constexpr Index kBytesAtOnce = Index{1} << 24;  // limit of what all processes send
    const Index at_once =
        std::clamp<Index>(kBytesAtOnce / (size.exact * static_cast<Index>(sizeof(ValueCount)) * peers.size()), 1, 64);
    for (Index begin = 0; begin < n_features; begin += at_once) {
      const Index count = std::min(at_once, n_features - begin);
      std::vector<std::vector<float>> columns(static_cast<std::size_t>(count));
      std::vector<std::vector<ValueCount>> own(static_cast<std::size_t>(count));
      peers.agree([&] {
        for_each_column(view, begin, begin + count, threads, &samples,
                        [&](Index j, std::span<const float> column, Workspace& work) {
                          columns[j - begin].assign(column.begin(), column.end());
                          own[j - begin] = summary_of(distinct_values_of(column, work), size);
                        });
      });
      const std::vector<std::vector<ValueCount>> all = exchanged(own, peers);
      parallel_for(count, threads, [&](Index f) { finish(begin + f, columns[f], all[f]); });
    }
  }
  for (Index i = 0; i < rows_; ++i) known.back() += is_empty_row(view.values, i) ? 1 : 0;
  peers.sum(known);
  for (Index j = 0; j < n_features; ++j) {
    const bool differs = is_category(j) ? known[2 * n_features + j] > 0 : !cuts[j].empty();
    varies_[j] = differs || (known[n_features + j] > known.back() && known[j] > 0) ? 1 : 0;
  }
  settle(cuts);
}

void BinnedView::settle(const std::vector<std::vector<float>>& cuts) {
  cut_begin_.reserve(cuts.size() + 1);
  cut_begin_.push_back(0);
  for (const auto& feature_cuts : cuts) {
    cuts_.insert(cuts_.end(), feature_cuts.begin(), feature_cuts.end());
    cut_begin_.push_back(cuts_.size());
  }
}

/// Returns the number of rows without a value.
Index BinnedView::encode(Index feature, std::span<const float> column, std::span<const float> cuts) {
  const auto missing = static_cast<std::uint8_t>(cuts.size() + 1);
  std::uint8_t* codes = codes_.data() + feature * rows_;
  CutSearch(cuts).count_below(column, codes);
  Index missing_values = 0;
  for (Index i = 0; i < rows_; ++i) {
    const bool is_missing = std::isnan(column[i]);
    codes[i] = is_missing ? missing : codes[i];
    missing_values += is_missing ? 1 : 0;
  }
  return missing_values;
}

BinnedView BinnedView::in_order(const std::vector<Index>& order) const {
  BinnedView result = *this;
  for (Index j = 0; j < features(); ++j) {
    const std::uint8_t* from = column(j);
    std::uint8_t* to = result.codes_.data() + j * rows_;
    for (Index i = 0; i < rows_; ++i) to[i] = from[order[static_cast<std::size_t>(i)]];
  }
  return result;
}

void BinnedView::recode(const View& view, Threads threads) {
  for_each_column(view, 0, features(), threads, nullptr, [&](Index j, std::span<const float> column, Workspace&) {
    encode(j, column, std::span(cuts_).subspan(cut_begin_[j], cut_begin_[j + 1] - cut_begin_[j]));
  });
}

float BinnedView::threshold(Index feature, int bin) const {
  return bin + 1 < n_bins(feature) ? cuts_[cut_begin_[feature] + static_cast<std::size_t>(bin)] : kAboveAll;
}

int BinnedView::bin_of_threshold(Index feature, float threshold) const {
  const auto begin = cuts_.begin() + static_cast<std::ptrdiff_t>(cut_begin_[feature]);
  const auto end = cuts_.begin() + static_cast<std::ptrdiff_t>(cut_begin_[feature + 1]);
  return static_cast<int>(std::lower_bound(begin, end, threshold) - begin);
}

bool BinnedView::is_constant() const {
  return std::none_of(varies_.begin(), varies_.end(), [](std::uint8_t varies) { return varies != 0; });
}

}  // namespace treecca
