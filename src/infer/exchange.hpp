// Sets of exchangeable rows, and random orders of them.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/samples.hpp"
#include "treecca/permutation_test.hpp"

namespace treecca {

/// Blocks of rows, which may be single rows. Whole blocks are exchanged, within sets of blocks of equal size that lack
/// the same views.
class Exchange {
 public:
  /// Groups that stay in place because no other group has their size and views. Zeros unless whole groups are
  /// exchanged.
  struct InPlace {
    Index groups = 0, of_groups = 0, samples = 0;
  };

  /// Failure: UsageError for groups that were not given; DataError if no two rows can be exchanged.
  Exchange(const Samples& samples, Permute kind);

  Permute kind() const { return kind_; }
  const InPlace& in_place() const { return in_place_; }
  /// log10 of the number of orders.
  double log10_orders() const;
  /// Row i of the permuted data is row order[i]. A pure function of seed and number.
  std::vector<Index> order(std::uint64_t seed, std::uint64_t number) const;

 private:
  using Block = std::vector<Index>;  // rows, ascending
  Permute kind_;
  Index rows_;
  std::vector<std::vector<Block>> sets_;
  InPlace in_place_;
};

}  // namespace treecca
