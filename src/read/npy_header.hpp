// Parses the header of an NPY file: the text of a Python dictionary with the dtype, the order and the shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace treecca {

struct NpyHeader {
  std::string descr;  // e.g. "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Parses `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, each key once, in any order, and no other
/// syntax. Failure: DataError with `path` (for damaged text, and for structured dtypes).
NpyHeader parse_npy_header(std::string_view text, const std::string& path);

}  // namespace treecca
