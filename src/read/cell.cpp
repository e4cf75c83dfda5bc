#include "read/cell.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace treecca {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 8> kTokens = {"", "na", "n/a", "nan", "null", "none", "?", "."};
  return std::any_of(kTokens.begin(), kTokens.end(), [&](std::string_view token) {
    return std::equal(text.begin(), text.end(), token.begin(), token.end(),
                      [](char a, char b) { return lower(a) == b; });
  });
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

Cell parse_cell(std::string_view text) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  text = trim(text);
  if (text.empty()) return {CellKind::missing, kNan};
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  // Out of range is no error here: the value is then infinite or zero, which is what is wanted.
  const char* const end = digits.data() + digits.size();
  const fast_float::from_chars_result parsed = fast_float::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc::invalid_argument && parsed.ptr == end) {
    if (std::isnan(value)) return {CellKind::missing, kNan};  // also "-nan", as C programs write it
    if (beyond_single_precision(value)) return {CellKind::infinite, kNan};
    return {CellKind::number, static_cast<float>(value)};
  }
  return {is_missing(text) ? CellKind::missing : CellKind::text, kNan};
}

bool is_plain_integer(std::string_view text) {
  text = trim(text);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace treecca
