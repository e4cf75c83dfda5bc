// The parameters as values of a Document: in model files and in summaries for other programs.
#pragma once

#include "support/document.hpp"
#include "treecca/engines.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// Numbers, true or false, texts, and arrays where the views differ. all: also parameters that do not affect the model.
Document parameters_document(const Parameters& parameters, bool all = false);

/// An object with a text for every name.
Document engine_params_document(const EngineParams& given);

}  // namespace treecca
