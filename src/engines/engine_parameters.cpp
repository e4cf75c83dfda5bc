#include "engines/engine_parameters.hpp"

#include <fmt/format.h>

#include <set>

#include "treecca/error.hpp"

namespace treecca {

void reject_reserved(const std::string& library, const EngineParams& given, const ReservedParameters& owned,
                     const FirstName& first_name) {
  for (const auto& [name, value] : given) {
    const auto found = owned.find(first_name(name));
    if (found == owned.end()) continue;
    throw UsageError(fmt::format("engine_params cannot set {} of {}: {}.", name, library, found->second));
  }
}

EngineParams merged(const EngineParams& ours, const EngineParams& given, const FirstName& first_name) {
  std::set<std::string> taken;
  for (const auto& [name, value] : given) {
    if (!taken.insert(first_name(name)).second) {
      throw UsageError(fmt::format("engine_params sets {} twice, or under two of its names. Leave one out.", name));
    }
  }
  EngineParams result;
  for (const auto& parameter : ours) {
    if (!taken.contains(first_name(parameter.first))) result.push_back(parameter);
  }
  result.insert(result.end(), given.begin(), given.end());
  return result;
}

void refuse_unknown(const std::string& library, const std::string& names) {
  throw UsageError(
      fmt::format("engine_params: {} does not use {} with these settings. "
                  "Check the spelling.",
                  library, names));
}

}  // namespace treecca
