// Properties of the samples: groups, weights, names, covariates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treecca/distributed.hpp"

namespace treecca {

/// A property of the samples (age, sex, batch) whose effect is removed from the variates.
struct Covariate {
  std::string name;
  std::vector<double> values;            // one per row: numbers, or positions in `levels`, from 0
  std::vector<std::string> levels = {};  // of classes; empty: numbers
};

/// All vectors but `covariates` are empty or have one entry per row of the views given.
struct SampleOptions {
  std::vector<std::int64_t> groups;   // rows of one group share a fold
  std::vector<double> sample_weight;  // weight of each row; only ratios matter
  std::vector<std::string> names;     // for messages; empty: rows are numbered from 1
  std::vector<Covariate> covariates;  // in one process only
  /// For fits over several processes (distributed.hpp): views, groups, weights and the variates of the result describe
  /// the rows of this process; everything else describes all rows.
  Communicator* communicator = nullptr;
  std::vector<std::int64_t> row_numbers;  // of these rows among all, from 0; empty: after the rows of lower ranks
};

}  // namespace treecca
