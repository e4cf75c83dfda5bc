// Warnings about a finished fit, as sentences for the user.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// `data`: the training data. Collective.
std::vector<std::string> warnings_about(const FitResult& result, const Dataset& data);

/// Whether a parameter still has an effect with linear = 1, i.e. without trees.
bool matters_without_trees(std::string_view name);

}  // namespace treecca
