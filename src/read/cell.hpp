// Converts the text of one cell to a number.
//
// Pure functions; nothing here fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treecca {

enum class CellKind {
  number,
  missing,   // see parse_cell
  infinite,  // infinity, or a number beyond single precision
  text,
};

struct Cell {
  CellKind kind = CellKind::missing;
  double value = 0.0;  // the number; NaN for all other kinds
};

/// The number format of a file.
struct NumberFormat {
  char decimal = '.';                     // or ','
  char thousands = '\0';                  // between groups of three digits; '\0': none
  std::vector<std::string> missing = {};  // more texts for missing values; numbers match by value
};

/// Numbers are decimal, with an optional sign and exponent; blanks around them are ignored, and typographic minus signs
/// and blanks (U+2212, U+00A0, ...) count as plain characters. TRUE and FALSE are 1 and 0. Missing: an empty cell, NA,
/// N/A, #N/A, NaN, null, None, ND, N.D., ?, ., -, -- and the errors of spreadsheets (#DIV/0!, #VALUE!, #NUM!, #REF!,
/// #NAME?, #NULL!), in any case.
Cell parse_cell(std::string_view text, const NumberFormat& format = {});

/// The name of the level that a number is: 1, 2.5.
std::string level_name(double value);

/// Whether the text is a number with a decimal comma, as 1,5.
bool has_decimal_comma(std::string_view text);
/// Whether commas separate the text into groups of three digits, as 58,297.
bool has_thousands_commas(std::string_view text);

/// Whether the text is a date: digits with dashes, slashes or points between them, as 2020-01-31 and 31/1/20, perhaps
/// followed by a time.
bool looks_like_a_date(std::string_view text);
/// The unit after the number that the text begins with, as % or mg/L; empty if there is none.
std::string_view unit_of(std::string_view text);

/// Whether the value is infinite, or would be as a float. NaN is not.
bool beyond_single_precision(double value);

/// Whether the text has only digits, apart from surrounding blanks: 0, 17, 2010.
bool is_plain_integer(std::string_view text);

/// The text without spaces and tabs at both ends.
std::string_view trim(std::string_view text);

}  // namespace treecca
