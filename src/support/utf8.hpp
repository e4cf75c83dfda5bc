// What is text in UTF-8 and what is not.
//
// Pure functions; thread-safe; never fail.
#pragma once

#include <cstddef>
#include <string_view>

namespace treecca {

/// Bytes of the character at the start of `text` (not empty), 0 when it is not one.
std::size_t utf8_length(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace treecca
