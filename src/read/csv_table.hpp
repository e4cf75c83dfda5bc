// Reads a Table from delimited text, by the rules of read_table (treecca/table.hpp).
//
// The text is streamed: peak memory is about twice the numbers plus the ids.
// Failure: DataError with file, line and column; errors of ByteSource pass through.
#pragma once

#include "read/byte_source.hpp"
#include "treecca/table.hpp"

namespace treecca {

/// `source` must be at its beginning. The table's name is left empty.
Table read_csv_table(ByteSource& source, const ReadOptions& options);

}  // namespace treecca
