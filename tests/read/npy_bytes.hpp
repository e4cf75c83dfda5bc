// The bytes of an NPY file, put together by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace treecca {

inline std::string npy_bytes(std::string_view header, std::string_view data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  for (std::size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  bytes += header;
  bytes += data;
  return bytes;
}

inline std::string npy_header_text(std::string_view descr, std::string_view shape, bool fortran_order = false) {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
         ", 'shape': " + std::string(shape) + ", }   \n";
}

/// The bytes of `value`, last byte first when `big_endian` (tests run on little-endian machines).
template <class T>
std::string element_bytes(T value, bool big_endian = false) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

}  // namespace treecca
