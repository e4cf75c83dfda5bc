// What looks wrong in tables that can be used nevertheless.
#pragma once

#include <string>
#include <vector>

#include "treecca/table.hpp"

namespace treecca::cli {

/// Sentences for the person, before the tables are joined. So far one: sample ids that were not
/// recognised, so that they count as a feature and rows are matched by their order. They are
/// suspected where the first column of every view has the same name and holds a different whole
/// number in every row.
std::vector<std::string> input_warnings(const std::vector<Table>& tables);

/// One line each on stderr.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace treecca::cli
