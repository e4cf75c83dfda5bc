#include "data/binning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// How much of a bin's share is its length rather than its rows (see bin_cuts).
constexpr double kLengthShare = 0.25;
constexpr float kAboveAll = std::numeric_limits<float>::max();

/// A float t with low < t <= high, half way where there is room.
float cut_between(float low, float high) {
  const float middle = low / 2 + high / 2;
  return middle > low && middle <= high ? middle : high;
}

struct Run {
  float value;
  Index count;
};

std::vector<Run> distinct_values(const std::vector<float>& sorted) {
  std::vector<Run> runs;
  for (const float value : sorted) {
    if (runs.empty() || value != runs.back().value) runs.push_back({value, 0});
    ++runs.back().count;
  }
  return runs;
}

/// One column, with a check of every value. -0 becomes 0: they are one value.
std::vector<float> checked_column(const View& view, Index feature) {
  std::vector<float> column(static_cast<std::size_t>(view.values.rows()));
  for (Index i = 0; i < view.values.rows(); ++i) {
    column[i] = view.values(i, feature) + 0.0F;
    if (std::isnan(column[i]) || std::fabs(column[i]) < kAboveAll) continue;
    const std::string name = view.feature_names.empty() ? fmt::format("f{}", feature)
                                                        : view.feature_names[static_cast<std::size_t>(feature)];
    throw DataError(
        fmt::format("View \"{}\", row {}, feature \"{}\": the value is infinite (or beyond single precision). "
                    "Replace it, or mark it as missing.",
                    view.name, i + 1, name));
  }
  return column;
}

}  // namespace

std::vector<float> bin_cuts(const std::vector<float>& sorted, Index max_bin) {
  const std::vector<Run> runs = distinct_values(sorted);
  std::vector<float> cuts;
  const auto n_runs = static_cast<Index>(runs.size());
  if (n_runs <= max_bin) {
    for (Index r = 1; r < n_runs; ++r) cuts.push_back(cut_between(runs[r - 1].value, runs[r].value));
    return cuts;
  }
  // Each bin gets an equal share of a mixed measure, part rows and part length: bins of rows alone leave the far tails
  // of a feature in a few wide bins, where a strong signal may sit. Close a bin once it holds its share of what is
  // left, so that a heavy value takes a bin of its own and the others still spread; never leave fewer distinct values
  // than bins.
  const auto n_rows = static_cast<double>(sorted.size());
  const double range = static_cast<double>(runs.back().value) - static_cast<double>(runs.front().value);
  double left = 1.0;
  double in_bin = 0.0;
  Index bins_left = max_bin;
  for (Index r = 0; r + 1 < n_runs && bins_left > 1; ++r) {
    const double gap = static_cast<double>(runs[r + 1].value) - static_cast<double>(runs[r].value);
    in_bin += (1 - kLengthShare) * static_cast<double>(runs[r].count) / n_rows + kLengthShare * gap / range;
    if (in_bin * static_cast<double>(bins_left) >= left || n_runs - 1 - r <= bins_left - 1) {
      cuts.push_back(cut_between(runs[r].value, runs[r + 1].value));
      left -= in_bin;
      --bins_left;
      in_bin = 0.0;
    }
  }
  return cuts;
}

BinnedView::BinnedView(const View& view, Index max_bin, Threads threads)
    : rows_(view.values.rows()),
      codes_(static_cast<std::size_t>(view.values.rows() * view.values.cols())),
      has_missing_(static_cast<std::size_t>(view.values.cols()), 0),
      varies_(static_cast<std::size_t>(view.values.cols()), 0) {
  const Index n_features = view.values.cols();
  std::vector<std::vector<float>> cuts(static_cast<std::size_t>(n_features));
  parallel_for(n_features, threads, [&](Index j) {
    const std::vector<float> column = checked_column(view, j);
    std::vector<float> sorted;
    sorted.reserve(column.size());
    std::copy_if(column.begin(), column.end(), std::back_inserter(sorted), [](float x) { return !std::isnan(x); });
    std::sort(sorted.begin(), sorted.end());
    cuts[j] = bin_cuts(sorted, max_bin);
    encode(j, column, cuts[j]);
    varies_[j] = !cuts[j].empty() || (has_missing_[j] != 0 && !sorted.empty()) ? 1 : 0;
  });
  cut_begin_.reserve(static_cast<std::size_t>(n_features) + 1);
  cut_begin_.push_back(0);
  for (const auto& feature_cuts : cuts) {
    cuts_.insert(cuts_.end(), feature_cuts.begin(), feature_cuts.end());
    cut_begin_.push_back(cuts_.size());
  }
}

void BinnedView::encode(Index feature, const std::vector<float>& column, const std::vector<float>& cuts) {
  const auto missing = static_cast<std::uint8_t>(cuts.size() + 1);
  std::uint8_t* codes = codes_.data() + feature * rows_;
  has_missing_[feature] = 0;
  for (Index i = 0; i < rows_; ++i) {
    const auto above = std::upper_bound(cuts.begin(), cuts.end(), column[i]);
    codes[i] = std::isnan(column[i]) ? missing : static_cast<std::uint8_t>(above - cuts.begin());
    if (codes[i] == missing) has_missing_[feature] = 1;
  }
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
