// The schema of a model file (docs/model-file.md) as a pair of functions between Model and
// Document.
//
// model_from_document(model_to_document(m)) == m, bit for bit, for every m that passes check_model,
// except for parameters that never change a result (Declaration::affects_model == false): those
// come back as their defaults. Files of version 1 are read too: a view was one part, without linear CCA. Version 3 has
// categories; models without are written as version 2.
#pragma once

#include <string_view>

#include "support/document.hpp"
#include "treecca/model.hpp"

namespace treecca {

inline constexpr std::string_view kModelFormatName = "treecca-model";
inline constexpr int kModelFormatVersion = 3;

Document model_to_document(const Model& model);

/// Failure: ModelError for a parameter that is still "auto" and must not be.
void require_values(const Parameters& parameters);

/// Builds the model and runs check_model; a "checksum" may be there and is not looked at. Failure:
/// ModelError that names the path of what is missing, unknown, of the wrong kind or size, or out of
/// range.
Model model_from_document(const Document& document);

/// Throws ModelError when the document says that it was written in a newer version of the format;
/// does nothing when it says anything else, or nothing.
void refuse_newer_format(const Document& document);

}  // namespace treecca
