// Parameters that users hand to a tree library (engine_params), in addition to those that TreeCCA sets.
//
// A user's value wins over ours under any of a parameter's names. Parameters that decide what a model is (its
// objective, its number of trees) are TreeCCA's and refused by name; so is what has no effect on training here.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "treecca/engines.hpp"

namespace treecca {

/// Parameters that may not be given, by their first name: why, as the rest of a sentence without its full stop.
using ReservedParameters = std::map<std::string, std::string>;

/// The name that a library prefers for a parameter among its aliases; the same name where it has none.
using FirstName = std::function<std::string(const std::string&)>;

/// Failure: UsageError that says what to set instead.
void reject_reserved(const std::string& library, const EngineParams& given, const ReservedParameters& owned,
                     const FirstName& first_name);

/// Ours without those that are given, and what is given. UsageError for a parameter that is given twice.
EngineParams merged(const EngineParams& ours, const EngineParams& given, const FirstName& first_name);

/// UsageError for names that the library does not use.
[[noreturn]] void refuse_unknown(const std::string& library, const std::string& names);

}  // namespace treecca
