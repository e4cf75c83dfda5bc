#include "read/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Whether lines end with CR alone. A CR at the end of `text` may belong to a CRLF.
bool has_returns_only(std::string_view text) {
  const std::size_t first = text.find('\r');
  return first < text.size() - 1 && text.find('\n') == std::string_view::npos;
}

}  // namespace

LineReader::LineReader(ByteSource& source, std::size_t max_line_bytes)
    : source_(source), max_line_bytes_(max_line_bytes) {
  const std::string_view start = source_.peek(2);
  if (start == "\xFF\xFE" || start == "\xFE\xFF") {
    throw DataError(fmt::format("{} is not text in UTF-8 but in UTF-16; save it as UTF-8.", path()));
  }
  fill();
  if (head().starts_with(kByteOrderMark)) begin_ += kByteOrderMark.size();
  returns_only_ = has_returns_only(head());
  if (returns_only_) std::replace(buffer_.data(), buffer_.data() + end_, '\r', '\n');
}

bool LineReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  // Doubling keeps a long line linear: on average every byte is moved a bounded number of times.
  if (buffer_.size() - end_ < kChunkBytes) buffer_.resize(buffer_.size() * 2 + kChunkBytes);
  const std::size_t got = source_.read(buffer_.data() + end_, buffer_.size() - end_);
  if (std::memchr(buffer_.data() + end_, '\0', got) != nullptr) {
    throw DataError(
        fmt::format("{} is not text: it holds NUL bytes. Tables are read from CSV, TSV (both also "
                    "gzipped) and NPY.",
                    path()));
  }
  if (returns_only_) std::replace(buffer_.data() + end_, buffer_.data() + end_ + got, '\r', '\n');
  end_ += got;
  return got > 0;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  const char* line_end = nullptr;
  for (;;) {
    const std::string_view text = head();
    line_end = static_cast<const char*>(std::memchr(text.data() + searched, '\n', text.size() - searched));
    const std::size_t size = line_end != nullptr ? static_cast<std::size_t>(line_end - text.data()) : text.size();
    if (size > max_line_bytes_) {
      throw DataError(fmt::format("{}, line {}: the line is longer than {} bytes, so the file is not a table.", path(),
                                  line_number_ + 1, max_line_bytes_));
    }
    if (line_end != nullptr) break;
    searched = text.size();
    if (!fill()) break;
  }
  if (line_end == nullptr && begin_ == end_) return false;
  line = head();
  if (line_end != nullptr) line = line.substr(0, static_cast<std::size_t>(line_end - line.data()));
  begin_ += line.size() + (line_end != nullptr ? 1 : 0);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++line_number_;
  return true;
}

}  // namespace treecca
