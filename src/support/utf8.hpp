// Text in UTF-8: validity and length.
//
// Pure functions; thread-safe; never fail.
#pragma once

#include <cstddef>
#include <string_view>

namespace treecca {

/// Number of bytes of the first character of `text` (not empty); 0 if it is not UTF-8.
std::size_t utf8_length(std::string_view text);

bool is_utf8(std::string_view text);

/// Number of characters of UTF-8 text.
std::size_t utf8_characters(std::string_view text);

}  // namespace treecca
