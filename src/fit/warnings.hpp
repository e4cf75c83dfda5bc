// What a person should know about a finished fit, in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "samples/shard.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// `shard` has the rows of the variates.
std::vector<std::string> warnings_about(const FitResult& result, const Shard& shard);
inline std::vector<std::string> warnings_about(const FitResult& result) {
  return warnings_about(result, result.variates.empty() ? 0 : result.variates[0].rows());
}

}  // namespace treecca
