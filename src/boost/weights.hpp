// Sample weights: how much each row counts in moments and trees.
#pragma once

#include <cstdint>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// Weights with mean 1, and the same in whole units for the integer histograms. Equal weights are no weights: then both
/// vectors are empty and every row counts 1.
struct RowWeights {
  std::vector<float> values;         // N
  std::vector<std::uint32_t> units;  // N: values * per_weight, rounded
  double per_weight = 1;             // units of a row with weight 1
};

/// `given` is empty or has n_rows entries. Failure: DataError naming the row for a weight that is negative or not
/// finite, and when fewer than `least` rows have a positive one.
RowWeights make_weights(const std::vector<double>& given, Index n_rows, Index least);

}  // namespace treecca
