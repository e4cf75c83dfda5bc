// The tables of a run: what was read, what the join kept, and the text that says so.
#pragma once

#include <string>
#include <vector>

#include "treecca/report.hpp"
#include "treecca/table.hpp"

namespace treecca {

/// Joins the tables in place. sources: the file of each table; empty strings for generated data. DataError.
JoinedInputs join_inputs(std::vector<Table>& tables, const std::vector<std::string>& sources);

/// Rows, features and missing values of each view, and what the join did.
std::string inputs_text(const JoinedInputs& inputs);

/// The fraction of missing values, 0 to 1.
double missing_share(const Table& table);

/// The name of row i: its sample id, or its number, counted from 1, if there are no ids.
std::string sample_name(const std::vector<std::string>& sample_ids, Index i);

}  // namespace treecca
