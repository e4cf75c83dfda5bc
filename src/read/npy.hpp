// Reads a Table from an NPY file (NumPy's format, versions 1 to 3).
//
// Real dtypes in either byte order: b1, i1..i8, u1..u8, f2, f4, f8; one or two dimensions, C or Fortran order. The
// header is untrusted, so a wrong size is detected before memory is allocated. Failure: DataError with the file, and
// with row and column of an infinity.
#pragma once

#include <string_view>

#include "read/byte_source.hpp"
#include "treecca/table.hpp"

namespace treecca {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// `source` must be at its beginning, before the magic bytes. Features are called f0, f1, ...; there are no ids; the
/// table's name is left empty. `options` must not name an id column.
Table read_npy_table(ByteSource& source, const ReadOptions& options);

}  // namespace treecca
