// Warnings about views that can be used nevertheless.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace treecca {

/// Sentences for the user: a column of sample ids among the features (suspected if columns of the same name hold a
/// different integer in every row of every view), and columns without any value. Collective; with several processes the
/// same sentences in all of them, and ids are not looked for.
std::vector<std::string> view_warnings(const Dataset& data);

}  // namespace treecca
