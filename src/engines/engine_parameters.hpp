// Parameters that users pass to a tree library (engine_params), in addition to the parameters that TreeCCA sets.
// A user's value takes precedence over ours, under any of a parameter's names. Parameters that define the model (its
// objective, its number of trees) belong to TreeCCA and are refused by name; so are parameters without effect here.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "treecca/engines.hpp"

namespace treecca {

/// Refused parameters by their first name, each with the reason: the rest of a sentence without its full stop.
using ReservedParameters = std::map<std::string, std::string>;

/// The name that a library prefers among a parameter's aliases; the same name if there is none.
using FirstName = std::function<std::string(const std::string&)>;

/// Failure: UsageError that names the parameter to set instead.
void reject_reserved(const std::string& library, const EngineParams& given, const ReservedParameters& owned,
                     const FirstName& first_name);

/// Our parameters, added to or replaced by the user's. Failure: UsageError for a parameter that is given twice.
EngineParams merged(const EngineParams& ours, const EngineParams& given, const FirstName& first_name);

/// Throws UsageError for names that the library does not use.
[[noreturn]] void refuse_unknown(const std::string& library, const std::string& names);

}  // namespace treecca
