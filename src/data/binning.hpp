// Binning: every feature becomes one byte per row, once per fit, shared by all folds, components and rounds.
//
// Codes of feature j run from 0 to n_bins(j) - 1 in the order of the values; missing values have the code n_bins(j). A
// split "code <= b goes left" is the split "x < threshold(j, b)" on the raw numbers.
// Features with at most max_bin distinct values keep one bin per value. Otherwise all bins have the same measure, which
// is three quarters rows (quantiles) and one quarter length; the latter keeps far tails finely cut.
// A constant or all-missing feature has one bin (no split is possible).
// The bins of a category are its levels, whatever max_bin is: a code is the position of the level, and a split sends a
// set of levels left.
// Failure: DataError for infinities (row and column named). Deterministic for any number of threads.
//
// With rows in several processes, bins are made from all rows: processes exchange the distinct values of every feature
// with their counts. A process with too many of them (`sketch_size`) sends a summary; a cut may then be off by the
// fraction of rows in one of its points: about an eighth of a bin, a quarter for very many features.
#pragma once

#include <cstdint>
#include <span>
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

  /// Codes of other rows of the same features, by the existing cuts; the number of rows must be the same. Failure as
  /// above.
  void recode(const View& view, Threads threads);

  /// The same features with row i taken from row order[i]: the result of binning the reordered rows.
  BinnedView in_order(const std::vector<Index>& order) const;

  Index rows() const { return rows_; }
  Index features() const { return static_cast<Index>(cut_begin_.size()) - 1; }
  /// One byte per row.
  const std::uint8_t* column(Index feature) const { return codes_.data() + feature * rows_; }
  int n_bins(Index feature) const { return static_cast<int>(cut_begin_[feature + 1] - cut_begin_[feature]) + 1; }
  int missing_code(Index feature) const { return n_bins(feature); }
  bool is_category(Index feature) const { return category_[static_cast<std::size_t>(feature)] != 0; }
  /// Whether a split can separate its rows. A feature with one value can, if some rows lack it that have other
  /// features; one without any value cannot.
  bool varies(Index feature) const { return varies_[feature] != 0; }
  /// The raw-value threshold of the split after bin b. The last bin's is above every finite value: only missing values
  /// are on its right.
  float threshold(Index feature, int bin) const;
  /// The inverse of `threshold`, for applying trees to codes.
  int bin_of_threshold(Index feature, float threshold) const;
  /// Whether no feature can be split.
  bool is_constant() const;

 private:
  Index encode(Index feature, std::span<const float> column, std::span<const float> cuts);
  void settle(const std::vector<std::vector<float>>& cuts);

  Index rows_;
  std::vector<std::uint8_t> codes_;     // column-major
  std::vector<float> cuts_;             // all features, ascending within each
  std::vector<std::size_t> cut_begin_;  // features + 1 offsets into cuts_
  std::vector<std::uint8_t> varies_;
  std::vector<std::uint8_t> category_;
};

/// A value of a feature and the number of rows with it.
struct ValueCount {
  float value;
  std::uint32_t count;

  bool operator==(const ValueCount&) const = default;
};

/// Sets `values` to every distinct value once, ascending; all numbers in `sorted` must be finite.
void distinct_values(std::span<const float> sorted, std::vector<ValueCount>& values);

/// The cuts of one feature from its distinct values. At most max_bin - 1, strictly ascending; the bin of a value x is
/// the number of cuts <= x.
std::vector<float> cuts_between(const std::vector<ValueCount>& values, Index max_bin);

/// The data that a process sends about a feature: up to `exact` distinct values unchanged, or else a summary of
/// `points`.
struct SketchSize {
  Index points;
  Index exact;  // >= 2 * points
};

/// At most 2 * points values that represent all: the values are cut into `points` bins as in cuts_between, and both
/// ends of every bin are kept, the lower one with all rows of the bin except one. If there are few enough values, they
/// are returned unchanged.
std::vector<ValueCount> summary_of(const std::vector<ValueCount>& values, const SketchSize& size);

/// Values are sent unchanged up to a million per feature and up to 512 MB for all features and processes; summaries
/// have eight points per bin, or four if eight would exceed this.
SketchSize sketch_size(Index features, int processes, Index max_bin);

}  // namespace treecca
