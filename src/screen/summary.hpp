// Summarises the result of screening, from the model.
#pragma once

#include <string>
#include <vector>

#include "treecca/model.hpp"

namespace treecca {

/// Names of the wide views of which screen = auto kept every feature in every fold because none was significant.
std::vector<std::string> views_without_significant_features(const Model& model);

}  // namespace treecca
