// Plain text for terminals: tables, bars, curves. Only a single long word makes a line wider than kTextWidth columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treecca {

inline constexpr int kTextWidth = 100;

/// Whether the locale (LC_ALL, LC_CTYPE, LANG) is UTF-8; otherwise bars and curves are drawn in ASCII.
bool locale_is_utf8();

/// Breaks `text` at blanks into lines of at most kTextWidth, each with `indent` blanks in front;
/// ends with a newline.
std::string wrapped(std::string_view text, int indent);

/// "12.3%", for columns of numbers.
std::string percent(double share);

/// "12%", next to names; "<1%" for less than half a percent, "0%" only for 0.
std::string short_percent(double share);

/// "0.8 s", "45 s", "3 min 20 s", "2 h 5 min".
std::string duration(double seconds);

/// A horizontal bar for a share in [0, 1] of at most `width` characters.
std::string bar(double share, int width);

/// The curve of `values`, scaled from their minimum to their maximum, in at most `width` characters. Values that are
/// not finite are left blank.
std::string sparkline(const std::vector<double>& values, int width);

/// A table with a header line: columns padded to their widest cell. `alignment` has one letter per
/// column, 'l' or 'r'.
class TextTable {
 public:
  TextTable(std::vector<std::string> header, std::string alignment);
  void add_row(std::vector<std::string> cells);
  void add_rule();
  std::string to_string(int indent) const;

 private:
  std::vector<std::vector<std::string>> rows_;  // an empty one is a rule
  std::string alignment_;
};

}  // namespace treecca
