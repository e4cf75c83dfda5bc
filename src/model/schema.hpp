// The schema of a model file (docs/model-file.md) as a pair of functions between Model and Document.
//
// model_from_document(model_to_document(m)) == m, bit for bit, for every m that passes check_model, except for
// parameters that never change a result (Declaration::affects_model == false): those get their defaults. Files of
// version 1 can be read too: each view becomes one part, without linear CCA. Version 3 has categories; models without
// any are written as version 2.
#pragma once

#include <string_view>

#include "support/document.hpp"
#include "treecca/model.hpp"

namespace treecca {

inline constexpr std::string_view kModelFormatName = "treecca-model";
inline constexpr int kModelFormatVersion = 3;

Document model_to_document(const Model& model);

/// Throws ModelError for a parameter that is "auto" but must have a value.
void require_values(const Parameters& parameters);

/// Builds the model and runs check_model; ignores a "checksum". Failure: ModelError with the path of an element that is
/// missing, unknown, of the wrong kind or size, or out of range.
Model model_from_document(const Document& document);

/// Throws ModelError if the document has a newer version of the format; in all other cases, also without a valid
/// version, does nothing.
void refuse_newer_format(const Document& document);

}  // namespace treecca
