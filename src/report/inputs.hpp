// The input of a run as text: tables read, and samples kept by the join.
#pragma once

#include <string>
#include <vector>

#include "treecca/report.hpp"

namespace treecca {

/// Rows, features and missing values of each view, and the result of the join.
std::string inputs_text(const JoinedInputs& inputs);

/// The name of row i: its sample id, or its number, counted from 1, if there are no ids.
std::string sample_name(const std::vector<std::string>& sample_ids, Index i);

}  // namespace treecca
