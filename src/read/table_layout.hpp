// What the columns of a text table are, recognised from its first records.
//
// Column numbers count the cells of a data row from 0. The rules are those of read_table
// (treecca/table.hpp). Pure; failure: DataError naming file and column.
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
  ignored,     // to be dropped, or row names that are not wanted, because another column was named as the ids
};

struct TableLayout {
  bool has_header = false;
  std::string note;                  // a sentence, where numbers were taken for a header, or may be one
  std::vector<std::string> dropped;  // columns of ReadOptions::drop that are there
  std::vector<std::string> names;    // one per column; empty without a header
  std::vector<ColumnRole> roles;     // one per column

  std::size_t width() const { return roles.size(); }
};

/// How many records recognise_layout looks at, the first one included, if the file has them.
inline constexpr std::size_t kLayoutRecords = 8;

/// `records`: the first ones of the file, at least one.
TableLayout recognise_layout(const std::vector<TextRecord>& records, const ReadOptions& options,
                             const std::string& path);

/// The way the file writes numbers.
NumberFormat number_format(const ReadOptions& options);

/// Whether the texts are 0, 1, 2, ... or 1, 2, 3, ..., blanks aside: numbers of rows, no ids. False for none.
bool are_row_numbers(std::span<const std::string> texts);

/// True for an empty name and for names that say "sample id" (see read_table), in any case.
bool is_id_name(std::string_view name);

}  // namespace treecca
