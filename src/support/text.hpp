// Makes text from files safe to print.
//
// Pure functions; thread-safe; never fail.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treecca {

/// The text in double quotes, for a message: at most 40 bytes, with control characters and invalid UTF-8 as \xNN.
std::string in_quotes(std::string_view text);

/// The text with the letters A to Z in lower case; other bytes stay.
std::string lower_case(std::string_view text);

/// `text` with control characters and invalid UTF-8 replaced by "?", so that names from files cannot corrupt a
/// terminal.
std::string printable(std::string_view text);

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words);

/// printable(text); if it is longer than `width` characters (not bytes), cut to that width, ending with `mark`. width:
/// at least the number of characters of the mark.
std::string shortened(std::string_view text, std::size_t width, std::string_view mark = "..");

}  // namespace treecca
