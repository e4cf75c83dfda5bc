// What a user should know about a finished fit, in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "samples/samples.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// `samples`: the rows of the variates. Collective.
std::vector<std::string> warnings_about(const FitResult& result, const Samples& samples);

/// Whether a parameter has an effect on linear CCA alone (linear = 1).
bool matters_without_trees(std::string_view name);

}  // namespace treecca
