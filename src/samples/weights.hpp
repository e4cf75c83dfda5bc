// Sample weights: how much each row counts in moments and trees.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/folds.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

/// Weights with mean 1, and the same in whole units for the integer histograms. Equal weights are no weights: then both
/// vectors are empty and every row counts 1.
struct RowWeights {
  std::vector<float> values;         // N
  std::vector<std::uint32_t> units;  // N: values * per_weight, rounded
  double per_weight = 1;             // units of a row with weight 1
  std::int64_t total_units = 0;      // of all rows, wherever they are
};

/// `given` is empty or has an entry per row. Failure: DataError naming the row for a weight that is negative or not
/// finite, and when fewer than `least` rows have a positive one.
RowWeights make_weights(const std::vector<double>& given, const Shard& shard, Index least);

/// Failure: DataError when some fold leaves no weight for the encoder that is trained without it.
void check_weights_in_folds(const RowWeights& weights, const Folds& folds);

/// How many independent samples of equal weight the rows are worth: (sum of W)^2 / (sum of W^2), where W is the weight
/// of a group (of a row without groups). Rows of one group are taken to be as good as one.
double effective_samples(const RowWeights& weights, const std::vector<std::int64_t>& groups, const Shard& shard);

}  // namespace treecca
