// Warns about usable views with likely mistakes.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Returns sentences for the user about: sample ids among the features (columns of one name, or with the same numbers,
/// that hold a different integer in every row), features that are in two views, values that probably mean missing,
/// columns without any value or with values that are equal in single precision, and the cases of sample_warnings.hpp.
/// Collective: with several processes all return the same sentences, and there is no search for ids and for values that
/// probably mean missing.
std::vector<std::string> view_warnings(const Dataset& data);

}  // namespace treecca
