// The checksum of a model file: tells a file that was changed from one that was written.
//
// It is the CRC-32 (zlib's) of the document's UBJSON encoding without the key "checksum", as eight
// hex digits. It belongs to the content, not to the bytes: both encodings of a model have the same
// one, and neither spaces nor the way numbers are spelled play a part. For that, numbers of single
// precision count as the floats they stand for: in JSON their text is that of a float, which a
// reader sees as some double nearby.
#pragma once

#include "support/document.hpp"

namespace treecca {

/// Adds the checksum. The document must not have one, and numbers of single precision must be
/// floats exactly, as model_to_document makes them.
void add_checksum(Document& document);

/// ModelError when the document has a checksum and it is not that of the rest. Numbers of single
/// precision must be within its range.
void verify_checksum(Document document);

}  // namespace treecca
