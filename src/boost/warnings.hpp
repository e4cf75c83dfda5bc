// What a person should know about a finished fit, in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "treecca/fit.hpp"

namespace treecca {

std::vector<std::string> warnings_about(const FitResult& result);

}  // namespace treecca
