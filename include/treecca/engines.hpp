// Locates the other libraries that can grow the trees.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace treecca {

/// (name, value) pairs for another library, each name once.
using EngineParams = std::vector<std::pair<std::string, std::string>>;

/// Sets the path of an engine's library ("xgboost", "lightgbm"). Without it TreeCCA searches the Python packages of the
/// active environment, of the environment that contains the program, of the user and of the system, then the system's
/// loader. The environment variables TREECCA_XGBOOST_LIB and TREECCA_LIGHTGBM_LIB take precedence over all of these.
/// Thread-safe.
void prefer_library(const std::string& engine, const std::string& path);

}  // namespace treecca
