// What looks wrong in tables that can be used nevertheless.
#pragma once

#include <string>
#include <vector>

#include "cli/joined_inputs.hpp"
#include "treecca/table.hpp"

namespace treecca::cli {

/// Sentences for the person, before the tables are joined: sample ids that were not recognised, so that they count as a
/// feature (suspected where a column of the same name holds a different whole number in every row of every view), and
/// columns without any value.
std::vector<std::string> input_warnings(const std::vector<Table>& tables);

/// After the join: most samples had no partner.
std::vector<std::string> join_warnings(const JoinedInputs& inputs);

/// One line each on stderr.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace treecca::cli
