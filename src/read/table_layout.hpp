// Recognises the header and the roles of the columns of a text table from its first records.
//
// Column numbers count the cells of a data row from 0. The rules are those of read_table (treecca/table.hpp). Pure;
// failure: DataError with file and column.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "read/cell.hpp"
#include "treecca/table.hpp"

namespace treecca {

/// A record that outlives the reader's buffer.
struct TextRecord {
  std::size_t line = 0;
  std::vector<std::string> cells;
};

enum class ColumnRole {
  feature,
  sample_id,
  perhaps_id,  // the first column: ids if its cells turn out to be text, else a feature
  ignored,     // dropped, or row names that are not needed because another column has the ids
};

struct TableLayout {
  bool has_header = false;
  std::string note;                  // a sentence if a first row of numbers is, or may be, a header
  std::vector<std::string> dropped;  // columns of ReadOptions::drop that the file has
  std::vector<std::string> names;    // one per column; empty without a header
  std::vector<ColumnRole> roles;     // one per column

  std::size_t width() const { return roles.size(); }
};

/// Maximum number of records that recognise_layout uses, including the first.
inline constexpr std::size_t kLayoutRecords = 8;

/// `records`: the first records of the file, at least one.
TableLayout recognise_layout(const std::vector<TextRecord>& records, const ReadOptions& options,
                             const std::string& path);

/// The number format of the file.
NumberFormat number_format(const ReadOptions& options);

/// Whether the texts are row numbers rather than ids: 0, 1, 2, ... or 1, 2, 3, ..., ignoring blanks. False for an empty
/// list.
bool are_row_numbers(std::span<const std::string> texts);

/// Whether a name is empty or means "sample id" (see read_table), in any case.
bool is_id_name(std::string_view name);

}  // namespace treecca
