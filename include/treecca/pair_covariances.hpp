// Covariances of variates between views, from which correlations of pairs of views are computed.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

namespace treecca {

/// Row-major M x M x K tables: the number for views i, j and component k is at (i * M + j) * K + k. Tables may be added
/// and averaged.
struct PairCovariances {
  std::vector<double> covariances;  // over the samples that have both views; a variance if i = j
  /// Variances of view i over the samples that also have view j, the denominators of the correlations. Empty: all
  /// samples have all views, and the entries i = j above are the variances.
  std::vector<double> variances;

  PairCovariances() = default;
  PairCovariances(std::vector<double> table) : covariances(std::move(table)) {}  // NOLINT: of complete data
  PairCovariances(std::initializer_list<double> table) : covariances(table) {}   // NOLINT: same

  bool operator==(const PairCovariances&) const = default;
};

}  // namespace treecca
