// Binning: every feature becomes one byte per row, once per fit, shared by all folds, components and rounds.
//
// Codes of feature j run from 0 to n_bins(j) - 1 in the order of the values; missing values have the code
// n_bins(j). A split "code <= b goes left" is the split "x < threshold(j, b)" on the raw numbers.
// Features with at most max_bin distinct values keep one bin per value; otherwise every bin has an equal share of a
// measure that is three quarters rows (quantiles) and one quarter length, which keeps far tails finely cut.
// A constant or all-missing feature has one bin (no split is possible).
// The bins of a category are its levels, whatever max_bin is: a code is the position of the level. There a split sends
// a set of levels left.
// Failure: DataError for infinities (row and column named). Deterministic for any number of threads.
//
// With rows in several processes the bins are those of all rows: processes exchange the distinct values of every
// feature and how often each is there. One with too many of them (`sketch_size`) sends a summary, and then a cut may be
// off by the share of one of its points: about an eighth of a bin, a quarter for very many features.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "samples/samples.hpp"
#include "support/threads.hpp"
#include "treecca/matrix.hpp"
#include "treecca/view.hpp"

namespace treecca {

class BinnedView {
 public:
  BinnedView(const View& view, Index max_bin, Threads threads, const Samples& samples);
  BinnedView(const View& view, Index max_bin, Threads threads)
      : BinnedView(view, max_bin, threads, Samples(view.values.rows())) {}

  /// Codes of other rows of the same features, by the cuts that were made; as many rows as before. Failure as above.
  void recode(const View& view, Threads threads);

  /// The same features with row i taken from row order[i]: what binning these rows would give.
  BinnedView in_order(const std::vector<Index>& order) const;

  Index rows() const { return rows_; }
  Index features() const { return static_cast<Index>(cut_begin_.size()) - 1; }
  /// One byte per row.
  const std::uint8_t* column(Index feature) const { return codes_.data() + feature * rows_; }
  int n_bins(Index feature) const { return static_cast<int>(cut_begin_[feature + 1] - cut_begin_[feature]) + 1; }
  int missing_code(Index feature) const { return n_bins(feature); }
  bool is_category(Index feature) const { return category_[static_cast<std::size_t>(feature)] != 0; }
  /// Can a split part its rows? A feature of one value can, when some rows lack it that have other features; one
  /// without any value cannot.
  bool varies(Index feature) const { return varies_[feature] != 0; }
  /// The raw-value threshold of the split after bin b. The last bin's is above every finite value: only
  /// missing values are on the other side.
  float threshold(Index feature, int bin) const;
  /// The inverse of `threshold`, for trees that are applied to codes.
  int bin_of_threshold(Index feature, float threshold) const;
  /// No feature can be split.
  bool is_constant() const;

 private:
  Index encode(Index feature, const std::vector<float>& column, const std::vector<float>& cuts);
  void settle(const std::vector<std::vector<float>>& cuts);

  Index rows_;
  std::vector<std::uint8_t> codes_;     // column-major
  std::vector<float> cuts_;             // all features, ascending within each
  std::vector<std::size_t> cut_begin_;  // features + 1 offsets into cuts_
  std::vector<std::uint8_t> varies_;
  std::vector<std::uint8_t> category_;
};

/// A value of a feature and how many rows have it.
struct ValueCount {
  float value;
  std::uint32_t count;

  bool operator==(const ValueCount&) const = default;
};

/// Every distinct value once, ascending; `sorted` is finite.
std::vector<ValueCount> distinct_values(const std::vector<float>& sorted);

/// The cuts of one feature from its distinct values. At most max_bin - 1 of them, strictly ascending; a value x belongs
/// to the bin numbered by how many cuts are <= x.
std::vector<float> cuts_between(const std::vector<ValueCount>& values, Index max_bin);

/// What a process sends of a feature: up to `exact` distinct values as they are; of more, a summary of `points`.
struct SketchSize {
  Index points;
  Index exact;  // >= 2 * points
};

/// At most 2 * points values that stand for all: the values are cut into `points` bins as for cuts_between, and the
/// ends of every bin are kept, the lower one with all but one of its rows. Few enough values are returned as they are.
std::vector<ValueCount> summary_of(const std::vector<ValueCount>& values, const SketchSize& size);

/// Values are sent as they are up to a million, and up to what makes 512 MB for all features and processes; summaries
/// have eight points per bin, four where that would be too much.
SketchSize sketch_size(Index features, int processes, Index max_bin);

}  // namespace treecca
