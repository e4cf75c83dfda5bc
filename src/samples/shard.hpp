// Which rows of the whole are here: their number among all rows decides about folds and samples, so that it does not
// matter where a row is.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/peers.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

class Shard {
 public:
  /// All rows are here.
  Shard(Index rows) : rows_(rows), total_(rows) {}  // NOLINT: a plain number is the usual case
  /// `numbers`: of every row here, from 0 and each once among all processes; empty: ours follow those of lower ranks.
  /// Collective. Failure: DataError for numbers that do not fit.
  Shard(Index rows, Peers peers, std::vector<std::int64_t> numbers);

  const Peers& peers() const { return peers_; }
  Index rows() const { return rows_; }
  Index total() const { return total_; }
  /// Of a row here, among all rows.
  Index number(Index row) const { return numbers_.empty() ? first_ + row : numbers_[static_cast<std::size_t>(row)]; }

 private:
  Peers peers_;
  Index rows_ = 0;
  Index total_ = 0;
  Index first_ = 0;
  std::vector<std::int64_t> numbers_;
};

}  // namespace treecca
