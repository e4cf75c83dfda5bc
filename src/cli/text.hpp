// Plain text for people: tables, bars, curves. Nothing is wider than kTextWidth columns unless a
// single word is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treecca::cli {

inline constexpr int kTextWidth = 100;

/// Whether the locale (LC_ALL, LC_CTYPE, LANG) is UTF-8; otherwise pictures are drawn in ASCII.
bool locale_is_utf8();

/// `text` with control characters and what is not UTF-8 replaced, so that names from files cannot
/// disturb a terminal.
std::string printable(std::string_view text);

/// printable(text), cut to `width` characters with ".." at the end where something is left out.
std::string shortened(std::string_view text, int width);

/// Breaks `text` at blanks into lines of at most kTextWidth, each with `indent` blanks in front;
/// ends with a newline.
std::string wrapped(std::string_view text, int indent);

/// "12.3%".
std::string percent(double share);

/// "0.8 s", "45 s", "3 min 20 s", "2 h 5 min".
std::string duration(double seconds);

/// A horizontal bar for a share in [0, 1] of at most `width` characters.
std::string bar(double share, int width);

/// The course of `values` from their least to their greatest, in at most `width` characters. Values
/// that are not finite are left blank.
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

}  // namespace treecca::cli
