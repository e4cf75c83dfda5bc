// The number of a row, as loops over many rows store it.
#pragma once

#include <cstdint>

namespace treecca {

/// Four bytes: half of what orders and partitions of rows would take as Index. Counts the rows of this process.
using RowIndex = std::uint32_t;

}  // namespace treecca
