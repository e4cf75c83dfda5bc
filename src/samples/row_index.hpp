// The type of row numbers that are stored in large arrays.
#pragma once

#include <cstdint>

namespace treecca {

/// Four bytes, half the size of Index. Numbers the rows of this process.
using RowIndex = std::uint32_t;

}  // namespace treecca
