// Matches the columns of a table with the features of a model.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// For each of `wanted`, returns the column of `given` with its name; empty if all columns are in the wanted order
/// already. If no names match and either list is generated (f0, f1, ...), columns match by position. All languages use
/// this rule. Failure (DataError, with the view's name): absent features are named (the first ten, and how many more);
/// a wanted name given twice; a wrong number of columns when matched by position.
std::vector<Index> feature_columns(const std::string& view, const std::vector<std::string>& given,
                                   const std::vector<std::string>& wanted);

}  // namespace treecca
