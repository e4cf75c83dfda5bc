// A Table out of an NPY file (NumPy's format, versions 1 to 3).
//
// Real dtypes in either byte order: b1, i1..i8, u1..u8, f2, f4, f8; one or two dimensions, C or
// Fortran order. Nothing in the header is trusted: a wrong size is found before memory is asked
// for. Failure: DataError naming the file, and row and column of an infinity.
#pragma once

#include <string_view>

#include "read/byte_source.hpp"
#include "treecca/table.hpp"

namespace treecca {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// `source` at its beginning, before the magic. Features are called f0, f1, ...; there are no ids;
/// the table's name is left empty. `options` must not name an id column: there is none.
Table read_npy_table(ByteSource& source, const ReadOptions& options);

}  // namespace treecca
