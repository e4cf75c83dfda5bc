// Who the rows are: their numbers among all processes, groups, weights. Made before any other work; afterwards nothing
// about the rows can be refused any more, except by a split into folds (folds.hpp).
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
  /// All rows are here and count alike.
  explicit Samples(Index rows = 0)
      : here_(rows),
        total_(rows),
        effective_(static_cast<double>(rows)),
        effective_rows_(static_cast<double>(rows)),
        independent_(rows) {}

  /// Collective. Failure: DataError, in every process what the first one met: groups, weights or row numbers that do
  /// not fit the rows, row numbers that repeat, a weight that is negative or not finite (its sample is named), fewer
  /// than kMinSamples positive weights.
  Samples(Index rows, const SampleOptions& given);

  const Peers& peers() const { return peers_; }
  /// Rows of this process, and of all.
  Index here() const { return here_; }
  Index total() const { return total_; }
  /// Number of a row here among all rows, from 0. Draws depend on it alone, so it does not matter where a row is
  /// stored.
  Index number(Index row) const { return numbers_.empty() ? first_ + row : numbers_[static_cast<std::size_t>(row)]; }

  /// What messages call a row here: its name in quotes, or its number, counted from 1.
  std::string name(Index row) const;
  bool named() const { return !names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }

  /// Whether rows have groups, in any process.
  bool grouped() const { return grouped_; }
  std::span<const std::int64_t> groups() const { return groups_; }

  /// Mean 1 over all processes; empty when all rows count alike.
  std::span<const float> weights() const { return weights_; }
  /// Of a row here.
  double weight(Index row) const { return weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(row)]; }
  /// The weights in whole units, for integer histograms; empty as above.
  std::span<const std::uint32_t> weight_units() const { return units_; }
  double units_per_weight() const { return units_per_weight_; }
  /// Units of all rows of all processes; 0 when all rows count alike.
  std::int64_t total_units() const { return total_units_; }

  /// How many independent samples of equal weight the rows are worth: (sum of W)^2 / (sum of W^2), where W is the
  /// weight of a group (of a row without groups). The rows of a group are taken to be worth one.
  double effective() const { return effective_; }
  /// The same with every row on its own, groups or not.
  double effective_rows() const { return effective_rows_; }
  /// Groups, or rows without groups; those with a positive weight.
  Index independent() const { return independent_; }

 private:
  void number_rows(const std::vector<std::int64_t>& numbers);
  void set_weights(const std::vector<double>& given);
  void count_effective();

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
  double effective_ = 0;
  double effective_rows_ = 0;
  Index independent_ = 0;
};

}  // namespace treecca
