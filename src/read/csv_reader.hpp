// Reads the records of delimited text (CSV, TSV), one at a time.
//
// A cell whose first character (after blanks) is a double quote extends to the closing quote: delimiters and line ends
// inside belong to it, and two double quotes are one. Blank lines at the end of the file are ignored; elsewhere they
// are an error, because a row may be lost there.
// Failure: DataError with file and line. Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "read/line_reader.hpp"

namespace treecca {

class CsvReader {
 public:
  /// Recognises the delimiter from the first two lines (see recognise_delimiter). Several blanks count as one.
  explicit CsvReader(ByteSource& source, std::size_t max_line_bytes = LineReader::kMaxLineBytes, char decimal = '.');

  const std::string& path() const { return lines_.path(); }
  char delimiter() const { return delimiter_; }

  /// The next record's cells, without quotes, valid until the next call; false at the end of the file.
  bool next(std::vector<std::string_view>& cells);

  /// The line on which the last record began, counted from 1.
  std::size_t line() const { return line_; }

 private:
  bool next_line(std::string_view& line);
  void split_quoted(std::string_view line, std::vector<std::string_view>& cells);
  void check_width(std::size_t cells) const;
  [[noreturn]] void fail(const std::string& reason) const;

  LineReader lines_;
  char delimiter_;
  std::size_t line_ = 0;
  std::string unquoted_;                // cell texts of a record that has quotes
  std::vector<std::size_t> cell_ends_;  // where each of those cells ends in unquoted_
};

/// Returns the delimiter of the cells in `head`, the beginning of a file. Of comma, tab, semicolon and |, it is the
/// character that gives the first two lines the same number of cells, else the most frequent in the first line. Decimal
/// commas between other delimiters do not count. Names ending in .tsv or .tab (also .gz) prefer the tab; `decimal` is
/// never the delimiter. If none of the four occurs: the blank, if blanks separate the second line into three or more
/// cells, the last a number, and the first line into the same number of cells or one fewer; else the comma.
char recognise_delimiter(std::string_view head, std::string_view path, char decimal = '.');

}  // namespace treecca
