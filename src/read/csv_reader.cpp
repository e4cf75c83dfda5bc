#include "read/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "read/cell.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kMaxColumns = 10'000'000;
constexpr std::size_t kMaxQuotedBytes = std::size_t{1} << 20;

/// Removes the first line from `text`; false if there is none.
bool take_line(std::string_view& text, std::string_view& line) {
  if (text.empty()) return false;
  const std::size_t size = std::min(text.find('\n'), text.size());
  line = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return true;
}

std::size_t count_outside_quotes(std::string_view line, char wanted) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (c == wanted && !inside) ++count;
  }
  return count;
}

/// Whether some cells have a comma, and all of these are numbers with a decimal comma.
bool has_decimal_commas_only(std::string_view line, char delimiter) {
  bool any = false;
  for (;;) {
    const std::size_t size = std::min(line.find(delimiter), line.size());
    const std::string_view cell = trim(line.substr(0, size));
    if (cell.find(',') != std::string_view::npos) {
      if (!has_decimal_comma(cell)) return false;
      any = true;
    }
    if (size == line.size()) return any;
    line.remove_prefix(size + 1);
  }
}

/// The cells between blanks, with their quotes.
std::vector<std::string_view> cells_between_blanks(std::string_view line) {
  std::vector<std::string_view> cells;
  bool inside = false;
  std::size_t begin = std::string_view::npos;  // of the current cell, if any
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') inside = !inside;
    const bool blank = i == line.size() || (line[i] == ' ' && !inside);
    if (!blank && begin == std::string_view::npos) begin = i;
    if (!blank || begin == std::string_view::npos) continue;
    cells.push_back(line.substr(begin, i - begin));
    begin = std::string_view::npos;
  }
  return cells;
}

/// Whether the second line has at least three cells, the last of them a number, and the first as many or one fewer.
bool are_parted_by_blanks(std::string_view first, std::string_view second) {
  constexpr std::size_t kLeast = 3;  // with fewer, any text of two words would match
  const std::vector<std::string_view> cells = cells_between_blanks(second);
  const std::size_t in_first = cells_between_blanks(first).size();
  return cells.size() >= kLeast && (in_first == cells.size() || in_first + 1 == cells.size()) &&
         parse_cell(cells.back()).kind != CellKind::text;
}

bool prefers_tab(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return path.ends_with(".tsv") || path.ends_with(".tab");
}

}  // namespace

char recognise_delimiter(std::string_view head, std::string_view path, char decimal) {
  std::string_view first;
  std::string_view second;
  take_line(head, first);
  const bool has_second = take_line(head, second);
  char best = ',';
  std::optional<std::pair<bool, std::size_t>> best_score;
  for (const char candidate : {'\t', ';', ',', '|'}) {
    if (candidate == decimal) continue;
    const std::size_t in_first = count_outside_quotes(first, candidate);
    const std::size_t in_second = count_outside_quotes(second, candidate);
    if (in_first + in_second == 0) continue;
    if (candidate == '\t' && prefers_tab(path)) return candidate;
    // If the second line has one cell more, the header has no name for the column of row names.
    const bool alike = has_second && (in_second == in_first || in_second == in_first + 1);
    if (alike && candidate != ',' && has_decimal_commas_only(first, candidate) &&
        has_decimal_commas_only(second, candidate)) {
      return candidate;
    }
    const std::pair score{alike, in_first};
    if (!best_score || score > *best_score) {
      best = candidate;
      best_score = score;
    }
  }
  return best_score || !has_second || !are_parted_by_blanks(first, second) ? best : ' ';
}

CsvReader::CsvReader(ByteSource& source, std::size_t max_line_bytes, char decimal)
    : lines_(source, max_line_bytes), delimiter_(recognise_delimiter(lines_.head(), source.path(), decimal)) {}

void CsvReader::fail(const std::string& reason) const {
  throw DataError(fmt::format("{}, line {}: {}", path(), line_, reason));
}

void CsvReader::check_width(std::size_t cells) const {
  if (cells > kMaxColumns) fail(fmt::format("there are more than {} cells.", kMaxColumns));
}

bool CsvReader::next_line(std::string_view& line) {
  const auto is_blank = [&] {
    return std::all_of(line.begin(), line.end(), [&](char c) { return (c == ' ' || c == '\t') && c != delimiter_; });
  };
  if (!lines_.next(line)) return false;
  line_ = lines_.line_number();
  if (!is_blank()) return true;
  while (lines_.next(line)) {
    if (!is_blank()) {
      fail(
          "the line is blank but others follow. Remove it, or write NA if a value is missing "
          "there.");
    }
  }
  return false;
}

bool CsvReader::next(std::vector<std::string_view>& cells) {
  cells.clear();
  std::string_view line;
  if (!next_line(line)) return false;
  if (delimiter_ == ' ') line = trim(line);
  if (line.find('"') != std::string_view::npos) {
    split_quoted(line, cells);
    return true;
  }
  for (;;) {
    const std::size_t size = std::min(line.find(delimiter_), line.size());
    cells.push_back(line.substr(0, size));
    check_width(cells.size());
    if (size == line.size()) return true;
    line.remove_prefix(size + 1);
    if (delimiter_ == ' ') line = trim(line);  // several blanks count as one
  }
}

void CsvReader::split_quoted(std::string_view line, std::vector<std::string_view>& cells) {
  unquoted_.clear();
  cell_ends_.clear();
  std::size_t at = 0;
  for (;;) {
    std::size_t start = at;
    while (start < line.size() && trim(line.substr(start, 1)).empty() && line[start] != delimiter_) ++start;
    if (start < line.size() && line[start] == '"') {
      const std::size_t cell_begin = unquoted_.size();
      at = start + 1;
      for (;;) {
        const std::size_t quote = std::min(line.find('"', at), line.size());
        unquoted_ += line.substr(at, quote - at);
        if (unquoted_.size() - cell_begin > kMaxQuotedBytes) {
          fail("a quoted cell is longer than 1 MB; is its closing quote missing?");
        }
        if (quote == line.size()) {
          unquoted_ += '\n';
          if (!lines_.next(line)) fail("a quoted cell has no closing quote.");
          at = 0;
          continue;
        }
        at = quote + 1;
        if (at == line.size() || line[at] != '"') break;
        unquoted_ += '"';
        ++at;
      }
      const std::size_t rest = std::min(line.find(delimiter_, at), line.size());
      if (!trim(line.substr(at, rest - at)).empty()) {
        fail(
            "text follows a closing quote. Cells are separated by commas, tabs, semicolons, | or blanks, and a quote "
            "inside a quoted cell is written twice.");
      }
      at = rest;
    } else {
      const std::size_t rest = std::min(line.find(delimiter_, at), line.size());
      unquoted_ += line.substr(at, rest - at);
      at = rest;
    }
    cell_ends_.push_back(unquoted_.size());
    check_width(cell_ends_.size());
    if (at == line.size()) break;
    ++at;  // skips the delimiter
    while (delimiter_ == ' ' && at < line.size() && line[at] == ' ') ++at;
  }
  std::size_t begin = 0;
  for (const std::size_t end : cell_ends_) {
    cells.push_back(std::string_view(unquoted_).substr(begin, end - begin));
    begin = end;
  }
}

}  // namespace treecca
