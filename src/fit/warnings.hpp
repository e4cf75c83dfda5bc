// What a user should know about a finished fit, in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// `data`: what was fitted. Collective.
std::vector<std::string> warnings_about(const FitResult& result, const Dataset& data);

/// Whether a parameter has an effect on linear CCA alone (linear = 1).
bool matters_without_trees(std::string_view name);

}  // namespace treecca
