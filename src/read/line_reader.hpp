// Reads the lines of a text file, one at a time, for files of any size.
//
// Lines end with LF or CRLF, or, if the beginning of the file has no LF, with CR; a UTF-8 byte order mark before the
// first line is skipped.
// Failure: DataError for NUL bytes (a binary file) and for a line longer than `max_line_bytes`; errors of ByteSource
// pass through. Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "read/byte_source.hpp"

namespace treecca {

class LineReader {
 public:
  static constexpr std::size_t kMaxLineBytes = std::size_t{256} << 20;

  explicit LineReader(ByteSource& source, std::size_t max_line_bytes = kMaxLineBytes);

  const std::string& path() const { return source_.path(); }

  /// The next line without its line end, valid until the next call; false at the end of the file.
  bool next(std::string_view& line);

  /// Number of the line that next() returned last, counted from 1.
  std::size_t line_number() const { return line_number_; }

  /// The upcoming text that is already in memory (at least one chunk unless the file is shorter).
  std::string_view head() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }

 private:
  bool fill();

  ByteSource& source_;
  std::size_t max_line_bytes_;
  std::string buffer_;  // unread text is [begin_, end_)
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t line_number_ = 0;
  bool returns_only_ = false;  // lines end with CR
};

}  // namespace treecca
