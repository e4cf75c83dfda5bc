// The two histogram layouts of the growth loop: the contents of a bin, the conversion of gradients, and the kernels.
// See kernels.hpp for the layouts themselves.
#pragma once

#include <algorithm>
#include <cstdint>

#include "trees/gradients.hpp"
#include "trees/kernels.hpp"

namespace treecca {

/// One output per tree: gradient sum and row count packed in 64 bits.
class ScalarHistogram {
 public:
  using Entry = std::int64_t;

  /// `units`: the largest sum of row weights in units.
  ScalarHistogram(Index /*width*/, Index units) : count_bits_(std::max(kMinCountBits, count_bits_for(units))) {}
  Index entries() const { return 1; }
  static std::int64_t limit(Index n_rows, Index units) { return scalar_limit(n_rows, units); }

  /// Entries of rows: by row number, and in their order. Adds all to `total`. `differences`: the gradients of rows
  /// without weights.
  void pack(const Kernels& use, const GradientSource& source, const float* differences, const RowIndex* rows, Index n,
            double scale, Entry* by_row, Entry* ordered, Entry* total) const {
    if (source.weight == nullptr) {
      return use.pack_scalar(differences, rows, n, scale, count_bits_, by_row, ordered, total);
    }
    for (Index i = 0; i < n; ++i) {
      ordered[i] = to_fixed(source(rows[i], 0), scale) * (std::int64_t{1} << count_bits_) + source.units(rows[i]);
      by_row[rows[i]] = ordered[i];
      *total += ordered[i];
    }
  }
  /// Units of weight; rows, if there are no weights.
  Index count(const Entry* entry) const { return *entry & ((std::int64_t{1} << count_bits_) - 1); }
  std::int64_t sum(const Entry* entry, Index /*k*/) const { return *entry >> count_bits_; }

  void build(const Kernels& use, const std::uint8_t* const* columns, int n_features, const RowIndex* rows, Index n,
             const Entry* gradients, Entry* const* histograms) const {
    use.build_scalar(columns, n_features, rows, n, gradients, histograms);
  }
  void gather(const Kernels& /*use*/, const RowIndex* rows, Index n, const Entry* gradients, Entry* out) const {
    for (Index i = 0; i < n; ++i) out[i] = gradients[rows[i]];
  }
  void subtract(const Kernels& use, Entry* from, const Entry* what, Index n) const {
    use.subtract_scalar(from, what, n);
  }
  Split best_split(const Kernels& use, const Entry* histogram, const Entry* total, const SplitInput& input) const {
    return use.best_split_scalar(histogram, *total, count_bits_, input);
  }

 private:
  int count_bits_;
};

/// K outputs per tree: one 32-bit lane each, and one for the count.
class VectorHistogram {
 public:
  using Entry = std::int32_t;

  VectorHistogram(Index width, Index /*units*/) : width_(width), lanes_(padded_lanes(width)) {}
  Index entries() const { return lanes_; }
  static std::int64_t limit(Index n_rows, Index /*units*/) { return lane_limit(n_rows); }

  void pack(const Kernels& use, const GradientSource& source, const float* /*differences*/, const RowIndex* rows,
            Index n, double scale, Entry* by_row, Entry* ordered, Entry* total) const {
    if (source.weight == nullptr) {
      return use.pack_lanes(source.numbers(), rows, n, scale, lanes_, by_row, ordered, total);
    }
    for (Index i = 0; i < n; ++i) {
      Entry* out = ordered + i * lanes_;
      std::fill_n(out, lanes_, Entry{0});
      for (Index k = 0; k < width_; ++k) out[k] = static_cast<Entry>(to_fixed(source(rows[i], k), scale));
      out[width_] = static_cast<Entry>(source.units(rows[i]));
      std::copy_n(out, lanes_, by_row + static_cast<Index>(rows[i]) * lanes_);
      for (Index k = 0; k <= width_; ++k) total[k] += out[k];
    }
  }
  Index count(const Entry* entry) const { return entry[width_]; }
  std::int64_t sum(const Entry* entry, Index k) const { return entry[k]; }

  void build(const Kernels& use, const std::uint8_t* const* columns, int n_features, const RowIndex* rows, Index n,
             const Entry* gradients, Entry* const* histograms) const {
    use.build_lanes(columns, n_features, rows, n, gradients, lanes_, histograms);
  }
  void gather(const Kernels& use, const RowIndex* rows, Index n, const Entry* gradients, Entry* out) const {
    use.gather_lanes(rows, n, gradients, lanes_, out);
  }
  void subtract(const Kernels& use, Entry* from, const Entry* what, Index n) const {
    use.subtract_lanes(from, what, n);
  }
  Split best_split(const Kernels& use, const Entry* histogram, const Entry* total, const SplitInput& input) const {
    return use.best_split_lanes(histogram, total, static_cast<int>(width_), lanes_, input);
  }

 private:
  Index width_;
  int lanes_;
};

}  // namespace treecca
