// A TOML file as a plain tree of values.
//
// Apart from the rest, because only its .cpp includes the TOML library, which takes long to
// compile. Failure: FileError when the file cannot be read, is no regular file or is larger than 1
// MB; UsageError with file and line when it is not TOML.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace treecca::cli {

struct TomlValue {
  enum class Kind { text, whole, number, boolean, date, list, table };

  Kind kind = Kind::table;
  std::size_t line = 0;           // where it begins, counted from 1
  std::string text;               // scalars: as one would write them on the command line
  std::vector<std::string> keys;  // of a table, in the order of the file
  std::vector<TomlValue> items;   // of a table: one per key; of a list: its elements
};

/// The whole file: a table.
TomlValue read_toml_file(const std::string& path);

}  // namespace treecca::cli
