#include "data/binning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "data/columns.hpp"
#include "support/parallel.hpp"
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

/// One column, with a check of every value. -0 becomes 0, because both are one value.
std::vector<float> checked_column(const View& view, Index feature, const Samples* samples = nullptr) {
  std::vector<float> column(static_cast<std::size_t>(view.values.rows()));
  for (Index i = 0; i < view.values.rows(); ++i) {
    column[i] = view.values(i, feature) + 0.0F;
    if (std::isnan(column[i]) || std::fabs(column[i]) < kAboveAll) continue;
    const std::string name = view.feature_names.empty() ? fmt::format("f{}", feature)
                                                        : view.feature_names[static_cast<std::size_t>(feature)];
    throw DataError(
        fmt::format("View \"{}\", row {}, feature \"{}\": the value is infinite (or beyond single precision). "
                    "Replace it, or mark it as missing.",
                    view.name, (samples != nullptr ? samples->number(i) : i) + 1, name));
  }
  return column;
}

std::vector<float> sorted_values(const std::vector<float>& column) {
  std::vector<float> sorted;
  sorted.reserve(column.size());
  std::copy_if(column.begin(), column.end(), std::back_inserter(sorted), [](float x) { return !std::isnan(x); });
  std::sort(sorted.begin(), sorted.end());
  return sorted;
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
  double n_rows = 0;
  for (const ValueCount& run : runs) n_rows += run.count;
  const double range = static_cast<double>(runs.back().value) - static_cast<double>(runs.front().value);
  double left = 1.0;
  double in_bin = 0.0;
  Index bins_left = max_bin;
  for (Index r = 0; r + 1 < n_runs && bins_left > 1; ++r) {
    const double gap = static_cast<double>(runs[r + 1].value) - static_cast<double>(runs[r].value);
    in_bin += (1 - kLengthShare) * static_cast<double>(runs[r].count) / n_rows + kLengthShare * gap / range;
    if (in_bin * static_cast<double>(bins_left) >= left || n_runs - 1 - r <= bins_left - 1) {
      close(r);
      left -= in_bin;
      --bins_left;
      in_bin = 0.0;
    }
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

std::vector<ValueCount> distinct_values(const std::vector<float>& sorted) {
  std::vector<ValueCount> runs;
  for (const float value : sorted) {
    if (runs.empty() || value != runs.back().value) runs.push_back({value, 0});
    ++runs.back().count;
  }
  return runs;
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
  const auto finish = [&](Index j, const std::vector<float>& column, const std::vector<ValueCount>& values) {
    cuts[j] = is_category(j) ? cuts_between_levels(view.levels[static_cast<std::size_t>(j)].size())
                             : cuts_between(values, max_bin);
    known[j] = values.empty() ? 0 : 1;
    known[n_features + j] = static_cast<double>(encode(j, column, cuts[j]));
    known[2 * n_features + j] = values.size() > 1 ? 1 : 0;
  };
  if (peers.alone()) {
    parallel_for(n_features, threads, [&](Index j) {
      const std::vector<float> column = checked_column(view, j);
      finish(j, column, distinct_values(sorted_values(column)));
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
        parallel_for(count, threads, [&](Index f) {
          columns[f] = checked_column(view, begin + f, &samples);
          own[f] = summary_of(distinct_values(sorted_values(columns[f])), size);
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
Index BinnedView::encode(Index feature, const std::vector<float>& column, const std::vector<float>& cuts) {
  const auto missing = static_cast<std::uint8_t>(cuts.size() + 1);
  std::uint8_t* codes = codes_.data() + feature * rows_;
  Index missing_values = 0;
  for (Index i = 0; i < rows_; ++i) {
    const auto above = std::upper_bound(cuts.begin(), cuts.end(), column[i]);
    codes[i] = std::isnan(column[i]) ? missing : static_cast<std::uint8_t>(above - cuts.begin());
    missing_values += codes[i] == missing ? 1 : 0;
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
  parallel_for(features(), threads, [&](Index j) {
    const auto cut = [&](Index feature) { return cuts_.begin() + static_cast<std::ptrdiff_t>(cut_begin_[feature]); };
    encode(j, checked_column(view, j), {cut(j), cut(j + 1)});
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
