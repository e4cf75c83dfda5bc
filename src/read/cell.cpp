#include "read/cell.hpp"

#include <fmt/format.h>

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace treecca {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool equal_in_any_case(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return equal_in_any_case(text, word); });
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 19> kTokens = {
      "",  "na", "n/a", "#n/a",    "nan",     "null",  "none",  "nd",     "n.d.",  "?",
      ".", "-",  "--",  "#div/0!", "#value!", "#num!", "#ref!", "#name?", "#null!"};
  return is_one_of(text, kTokens);
}

/// Parses all of `text` as a number with a decimal point; false if it is not a number.
bool read_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  // Out of range is not an error: the value becomes infinite or zero, as intended.
  const char* const end = text.data() + text.size();
  const fast_float::from_chars_result parsed = fast_float::from_chars(text.data(), end, value);
  return parsed.ec != std::errc::invalid_argument && parsed.ptr == end;
}

/// The text with a decimal point and without thousands separators; no number if they are misplaced.
std::string plain_number(std::string_view text, const NumberFormat& format) {
  static const std::string kNoNumber = "x";
  const std::size_t point = std::min(text.find(format.decimal), text.size());
  std::string_view whole = text.substr(0, point);
  std::string plain;
  if (!whole.empty() && (whole[0] == '-' || whole[0] == '+')) {
    plain += whole[0];
    whole.remove_prefix(1);
  }
  const std::size_t first = whole.find(format.thousands);
  if (format.thousands != '\0' && first != std::string_view::npos) {
    if (first == 0 || first > 3) return kNoNumber;
    for (std::size_t i = first; i < whole.size(); i += 4) {
      const bool group = whole[i] == format.thousands && whole.size() >= i + 4 &&
                         std::all_of(whole.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                     whole.begin() + static_cast<std::ptrdiff_t>(i) + 4, is_digit);
      if (!group) return kNoNumber;
    }
  }
  for (const char c : whole) {
    if (format.thousands != '\0' && c == format.thousands) continue;
    if (format.decimal != '.' && c == '.') return kNoNumber;  // a point cannot be part of a number
    plain += c;
  }
  if (point == text.size()) return plain;
  return plain + '.' + std::string(text.substr(point + 1));
}

bool means_missing(std::string_view text, bool number, double value, const NumberFormat& format) {
  return std::any_of(format.missing.begin(), format.missing.end(), [&](const std::string& word) {
    double other = 0;
    return equal_in_any_case(text, word) || (number && read_number(word, other) && other == value);
  });
}

/// Replaces typographic minus signs and non-breaking blanks by ASCII. The same text if there are none.
std::string with_plain_signs(std::string_view text) {
  struct Sign {
    std::string_view utf8;
    char plain;
  };
  constexpr std::array<Sign, 6> kSigns = {
      {{"\u2212", '-'}, {"\u2010", '-'}, {"\u2011", '-'}, {"\u00a0", ' '}, {"\u202f", ' '}, {"\u2009", ' '}}};
  std::string plain;
  while (!text.empty()) {
    const auto sign =
        std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& one) { return text.starts_with(one.utf8); });
    plain += sign == kSigns.end() ? text[0] : sign->plain;
    text.remove_prefix(sign == kSigns.end() ? 1 : sign->utf8.size());
  }
  return plain;
}

Cell cell_of(double value) {
  if (std::isnan(value)) return {CellKind::missing, kNan};  // also "-nan", as C programs write it
  if (beyond_single_precision(value)) return {CellKind::infinite, kNan};
  return {CellKind::number, value};
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool beyond_single_precision(double value) {
  constexpr double kFirstInfinite = 0x1.ffffffp127;  // half a step above the largest float
  return std::fabs(value) >= kFirstInfinite;
}

Cell parse_cell(std::string_view text, const NumberFormat& format) {
  text = trim(text);
  if (text.empty()) return {CellKind::missing, kNan};
  double value = 0.0;
  const bool plain = format.decimal == '.' && format.thousands == '\0';
  const bool number = plain ? read_number(text, value) : read_number(plain_number(text, format), value);
  if (!format.missing.empty() && means_missing(text, number, value, format)) return {CellKind::missing, kNan};
  if (number) return cell_of(value);
  if (equal_in_any_case(text, "true")) return {CellKind::number, 1};
  if (equal_in_any_case(text, "false")) return {CellKind::number, 0};
  if (is_missing(text)) return {CellKind::missing, kNan};
  const bool ascii = std::none_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
  const std::string plain_text = ascii ? std::string() : with_plain_signs(text);
  return ascii || plain_text == text ? Cell{CellKind::text, kNan} : parse_cell(plain_text, format);
}

std::string level_name(double value) { return fmt::format("{}", value + 0.0); }

bool has_decimal_comma(std::string_view text) {
  return text.find(',') != std::string_view::npos && parse_cell(text, {.decimal = ','}).kind == CellKind::number;
}

bool has_thousands_commas(std::string_view text) {
  return text.find(',') != std::string_view::npos && parse_cell(text, {.thousands = ','}).kind == CellKind::number;
}

bool looks_like_a_date(std::string_view text) {
  text = trim(text);
  std::size_t parts = 0;
  std::size_t longest = 0;  // digits
  for (std::size_t at = 0; parts < 3; ++parts) {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == begin || at - begin > 4) return false;
    longest = std::max(longest, at - begin);
    if (parts == 2) return longest > 1 && (at == text.size() || text[at] == ' ' || text[at] == 'T');
    if (at == text.size() || std::string_view("-/.").find(text[at]) == std::string_view::npos) return false;
    ++at;
  }
  return false;
}

std::string_view unit_of(std::string_view text) {
  text = trim(text);
  double value = 0;
  const char* const end = text.data() + text.size();
  const fast_float::from_chars_result parsed = fast_float::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr == end) return {};
  const std::string_view unit = trim(text.substr(static_cast<std::size_t>(parsed.ptr - text.data())));
  const auto may_begin = [](char c) { return c == '%' || (lower(c) >= 'a' && lower(c) <= 'z') || (c & 0x80) != 0; };
  return !unit.empty() && may_begin(unit[0]) ? unit : std::string_view();
}

bool is_plain_integer(std::string_view text) {
  text = trim(text);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace treecca
