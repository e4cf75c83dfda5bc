// The text of one cell as a number.
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

/// How a file writes its numbers.
struct NumberFormat {
  char decimal = '.';                     // or ','
  char thousands = '\0';                  // between groups of three digits; '\0': none
  std::vector<std::string> missing = {};  // more ways to write a missing value; numbers match however they are written
};

/// Numbers are decimal, with an optional sign and exponent; blanks around are ignored, and the minus signs and blanks
/// of documents (U+2212, U+00A0, ...) count as the plain ones. TRUE and FALSE are 1 and 0. Missing: an empty cell, NA,
/// N/A, #N/A, NaN, null, None, ND, N.D., ?, ., -, -- and the errors of spreadsheets
/// (#DIV/0!, #VALUE!, #NUM!, #REF!, #NAME?, #NULL!), in any case.
Cell parse_cell(std::string_view text, const NumberFormat& format = {});

/// What a number is called as the level of a category: 1, 2.5.
std::string level_name(double value);

/// Whether the text is a number with a comma for the decimal point, as 1,5.
bool has_decimal_comma(std::string_view text);
/// Whether commas part the text into groups of three digits, as 58,297.
bool has_thousands_commas(std::string_view text);

/// Digits with dashes, slashes or points between, as 2020-01-31 and 31/1/20; perhaps a time behind it.
bool looks_like_a_date(std::string_view text);
/// What follows the number that the text begins with, as % or mg/L; empty if it is no such text.
std::string_view unit_of(std::string_view text);

/// True when the value is infinite, or would be as a float. NaN is not.
bool beyond_single_precision(double value);

/// Digits only (surrounding blanks aside): 0, 17, 2010.
bool is_plain_integer(std::string_view text);

/// Without the spaces and tabs at both ends.
std::string_view trim(std::string_view text);

}  // namespace treecca
