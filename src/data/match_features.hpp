// Which columns of a table are the features that a model knows.
#pragma once

#include <string>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// For each of `wanted` the column that has its name among `given`; empty when all columns are as
/// wanted already, in order. If no wanted name is given and the names of either side are generated (f0, f1, ...),
/// columns match by position. The only such rule, for all languages.
/// Failure (DataError, with the view's name): absent features are named (the first ten, and how many more); a wanted
/// name that is given twice; another number of columns where they match by position.
std::vector<Index> feature_columns(const std::string& view, const std::vector<std::string>& given,
                                   const std::vector<std::string>& wanted);

}  // namespace treecca
