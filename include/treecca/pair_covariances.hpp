// Covariances of variates between views: what correlations of pairs of views are made of.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

namespace treecca {

/// Row-major M x M x K tables: the number for views i, j and component k is at (i * M + j) * K + k. Sums and means of
/// tables are tables.
struct PairCovariances {
  std::vector<double> covariances;  // over the samples that have both views; a variance where i = j
  /// Variances of view i over the samples that have view j, too: with the covariance above they make a correlation.
  /// Empty: all samples have all views, and they are those of i = j above.
  std::vector<double> variances;

  PairCovariances() = default;
  PairCovariances(std::vector<double> table) : covariances(std::move(table)) {}  // NOLINT: of complete data
  PairCovariances(std::initializer_list<double> table) : covariances(table) {}   // NOLINT: same

  bool operator==(const PairCovariances&) const = default;
};

}  // namespace treecca
