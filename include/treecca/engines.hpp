// Other libraries that can grow the trees: where to find them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace treecca {

/// (name, value) pairs for another library, each name once.
using EngineParams = std::vector<std::pair<std::string, std::string>>;

/// Tells where the library of an engine ("xgboost", "lightgbm") is. Without it TreeCCA looks in the Python packages of
/// the active environment, of the program's own one, of the user and of the system, then asks the system's loader; the
/// environment variables TREECCA_XGBOOST_LIB and TREECCA_LIGHTGBM_LIB win over all. Thread-safe.
void prefer_library(const std::string& engine, const std::string& path);

}  // namespace treecca
