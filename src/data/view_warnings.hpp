// Warnings about views that can be used nevertheless.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Sentences for the user: sample ids among the features (columns of one name, or with the same numbers, that hold a
/// different integer in every row), features that are in two views, values that probably mean missing, columns without
/// any value or with values that are equal in single precision, and those of sample_warnings.hpp. Collective; with
/// several processes the same sentences in all of them, and ids and missing values are not looked for.
std::vector<std::string> view_warnings(const Dataset& data);

}  // namespace treecca
