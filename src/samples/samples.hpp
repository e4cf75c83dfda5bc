// The samples of a fit: numbers of the rows among all processes, groups, weights, and which views they have. It is made
// first, so later code need not check rows again, except for the split into folds (folds.hpp).
//
// A plain value. All vectors describe the rows of this process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "samples/peers.hpp"
#include "treecca/matrix.hpp"
#include "treecca/samples.hpp"

namespace treecca {

/// The minimum number of samples (with a positive weight) for a fit.
inline constexpr Index kMinSamples = 10;

class Samples {
 public:
  /// All rows are in this process and have equal weights.
  explicit Samples(Index rows = 0)
      : here_(rows), total_(rows), all_{rows, static_cast<double>(rows), static_cast<double>(rows), rows} {}

  /// Collective. Failure: DataError, in every process the error of the first process that failed: groups, weights or
  /// row numbers that do not fit the rows, row numbers that repeat, a weight that is negative or not finite (its sample
  /// is named), fewer than kMinSamples positive weights.
  Samples(Index rows, const SampleOptions& given);

  const Peers& peers() const { return peers_; }
  /// Number of rows of this process, and of all processes.
  Index here() const { return here_; }
  Index total() const { return total_; }
  /// Number among all rows, from 0, of a row here. Random draws depend only on this number, so a row may be stored
  /// anywhere.
  Index number(Index row) const { return numbers_.empty() ? first_ + row : numbers_[static_cast<std::size_t>(row)]; }

  /// The name of a row here in messages: in quotes, or its number, counted from 1.
  std::string name(Index row) const;
  bool named() const { return !names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }

  /// Whether rows have groups, in any process.
  bool grouped() const { return grouped_; }
  std::span<const std::int64_t> groups() const { return groups_; }

  /// Mean 1 over all processes; empty if all weights are equal.
  std::span<const float> weights() const { return weights_; }
  /// The weight of a row here.
  double weight(Index row) const { return weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(row)]; }
  /// The weights as integer units, for integer histograms; empty if all are equal.
  std::span<const std::uint32_t> weight_units() const { return units_; }
  double units_per_weight() const { return units_per_weight_; }
  /// Units of all rows of all processes; 0 if all weights are equal.
  std::int64_t total_units() const { return total_units_; }

  /// Effective number of independent samples: (sum of W)^2 / (sum of W^2), where W is the weight of a group (of a row
  /// without groups). The rows of a group count as one sample. If rows lack views: the harmonic mean over the pairs of
  /// views, on which the error of their mean correlation depends.
  double effective() const { return all_.effective; }
  /// The same for rows instead of groups.
  double effective_rows() const { return all_.effective_rows; }
  /// Number of groups, or of rows without groups, with a positive weight. If rows lack views: the mean as above.
  Index independent() const { return all_.independent; }

  /// Records which rows have which views: `present` is N x M, row by row, for the rows here. Changes nothing if all
  /// rows of all processes have all views. Collective. Failure: DataError, naming the views, if two of them share fewer
  /// than kMinSamples rows with a positive weight.
  void set_presence(std::vector<std::string> view_names, std::vector<std::uint8_t> present);
  /// Whether all rows have all views; then every row has any given view.
  bool complete() const { return present_.empty(); }
  bool has(Index view, Index row) const { return complete() || present_[at(view, row)] != 0; }
  /// Whether the row has the view and another view: only then can the view learn from it.
  bool paired(Index view, Index row) const { return complete() || present_[at(view, row)] == kPaired; }
  /// A number that identifies the set of views that a row has; 0 if all rows have all views.
  Index pattern(Index row) const { return complete() ? 0 : pattern_[static_cast<std::size_t>(row)]; }
  Index patterns() const { return patterns_; }                                // 0 if complete
  const std::vector<std::string>& view_names() const { return view_names_; }  // M, or empty if complete
  Index n_views() const { return static_cast<Index>(view_names_.size()); }

  /// Sizes, as above, of the set of rows that have two views (if v = w, that have the view).
  struct Worth {
    Index rows = 0;  // with a positive weight or not
    double effective = 0;
    double effective_rows = 0;
    Index independent = 0;
  };
  const Worth& shared(Index v, Index w) const {
    return complete() ? all_ : shared_[static_cast<std::size_t>(v * n_views() + w)];
  }
  /// The smallest number of rows that two views share; all rows if none lacks a view.
  Index least_shared() const;
  /// Number of rows that have at least two views: only these rows have a pairing.
  Index learned() const { return complete() ? total_ : learned_; }

 private:
  static constexpr std::uint8_t kPaired = 2;  // of present_: the row has another view, too

  std::size_t at(Index view, Index row) const { return static_cast<std::size_t>(row * n_views() + view); }
  void number_rows(const std::vector<std::int64_t>& numbers);
  void set_weights(const std::vector<double>& given);
  Index count_positive(Index v, Index w) const;  // rows here that both have, with a positive weight
  template <class Counts>
  Worth worth_of(Counts&& counts) const;

  Peers peers_;
  Index here_ = 0;
  Index total_ = 0;
  Index first_ = 0;
  std::vector<std::int64_t> numbers_;
  std::vector<std::string> names_;
  bool grouped_ = false;
  std::vector<std::int64_t> groups_;
  std::vector<float> weights_;
  std::vector<std::uint32_t> units_;
  double units_per_weight_ = 1;
  std::int64_t total_units_ = 0;
  Worth all_;
  std::vector<std::string> view_names_;
  std::vector<std::uint8_t> present_;  // N x M: 0, 1, or kPaired; empty: all rows have all views
  std::vector<Index> pattern_;
  Index patterns_ = 0;
  std::vector<Worth> shared_;  // M x M
  Index learned_ = 0;
};

}  // namespace treecca
