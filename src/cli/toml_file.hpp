// Reads a TOML file into a plain tree of values.
//
// Only toml_file.cpp includes the TOML library, which is slow to compile. Failure: FileError if the file cannot be
// read, is not a regular file or is larger than 1 MB; UsageError with file and line if it is not TOML or is nested more
// than kMaxNesting deep (functions that recurse into the tree could exhaust the stack).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace treecca::cli {

inline constexpr std::size_t kMaxNesting = 16;

struct TomlValue {
  enum class Kind { text, integer, number, boolean, date, list, table };

  Kind kind = Kind::table;
  std::size_t line = 0;           // line of its first character, counted from 1
  std::string text;               // scalars: as on the command line
  std::vector<std::string> keys;  // of a table, in the order of the file
  std::vector<TomlValue> items;   // of a table: one per key; of a list: its elements
};

/// Reads the whole file; the result is a table.
TomlValue read_toml_file(const std::string& path);

}  // namespace treecca::cli
