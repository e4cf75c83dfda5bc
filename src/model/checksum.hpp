// The checksum of a model file: detects files that were changed after they were written.
//
// It is the CRC-32 (zlib's) of the document's UBJSON encoding without the key "checksum", as eight hex digits. It
// depends on the content, not on the bytes: both encodings of a model have the same checksum, and spaces and the
// spelling of numbers do not matter. So single-precision numbers are first rounded to floats, because a reader turns
// their JSON text into a nearby double.
#pragma once

#include "support/document.hpp"

namespace treecca {

/// Adds the checksum. The document must not have one, and single-precision numbers must be exact floats, as
/// model_to_document makes them.
void add_checksum(Document& document);

/// Throws ModelError if the document has a checksum that does not match. Single-precision numbers must be within the
/// range of floats.
void verify_checksum(Document document);

}  // namespace treecca
