// Converts the parameters to a Document, for model files and for summaries for other programs.
#pragma once

#include "support/document.hpp"
#include "treecca/engines.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// Members are numbers, booleans, texts, and arrays if views differ. all: include parameters that do not affect the
/// model.
Document parameters_document(const Parameters& parameters, bool all = false);

/// An object with a text for every name.
Document engine_params_document(const EngineParams& given);

}  // namespace treecca
