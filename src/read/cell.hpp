// The text of one cell as a number.
//
// Pure functions; nothing here fails.
#pragma once

#include <string_view>

namespace treecca {

enum class CellKind {
  number,
  missing,   // empty, NA, N/A, NaN, null, None, ? or . (any case)
  infinite,  // infinity, or a number beyond single precision
  text,
};

struct Cell {
  CellKind kind = CellKind::missing;
  float value = 0.0F;  // the number; NaN for all other kinds
};

/// Numbers are decimal, with a point, an optional sign and exponent; blanks around are ignored.
Cell parse_cell(std::string_view text);

/// True when the value is infinite, or would be as a float. NaN is not.
bool beyond_single_precision(double value);

/// Digits only (surrounding blanks aside): 0, 17, 2010.
bool is_plain_integer(std::string_view text);

/// Without the spaces and tabs at both ends.
std::string_view trim(std::string_view text);

}  // namespace treecca
