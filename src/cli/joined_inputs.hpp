// The tables of a run: what was read, what the join kept, and how that is told.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "treecca/table.hpp"

namespace treecca::cli {

/// One view as it was read, before the join.
struct InputSummary {
  std::string view;
  std::string source;  // the file; empty for made-up data
  std::size_t rows = 0;
  std::size_t features = 0;
  double missing_share = 0;
};

struct JoinedInputs {
  std::vector<InputSummary> views;
  JoinReport join;
};

/// Joins the tables in place. `sources` names the file of each table; empty strings for made-up data. DataError.
JoinedInputs join_inputs(std::vector<Table>& tables, const std::vector<std::string>& sources);

/// Rows x features and missing values of each view, and what the join did.
std::string inputs_text(const JoinedInputs& inputs);

}  // namespace treecca::cli
