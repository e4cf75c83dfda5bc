// What is known about the samples besides their values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treecca/distributed.hpp"

namespace treecca {

/// All vectors are empty or have one entry per row of the views given.
struct SampleOptions {
  std::vector<std::int64_t> groups;   // rows of one group share a fold
  std::vector<double> sample_weight;  // how much each row counts; only ratios matter
  std::vector<std::string> names;     // for messages; without them rows are numbered from 1
  /// When the rows are spread over several processes (see distributed.hpp): views, groups and weights describe the rows
  /// of this process, and so do the variates of the result; everything else describes all rows.
  Communicator* communicator = nullptr;
  std::vector<std::int64_t> row_numbers;  // of the rows here among all, from 0; empty: they follow those of lower ranks
};

}  // namespace treecca
