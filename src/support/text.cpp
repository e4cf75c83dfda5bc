#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/utf8.hpp"

namespace treecca {
namespace {

constexpr std::size_t kShownBytes = 40;

/// Whether a terminal shows the character unchanged.
bool is_shown(std::size_t length, char first) {
  const auto byte = static_cast<unsigned char>(first);
  return length > 0 && byte >= 0x20 && byte != 0x7F;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string shown = "\"";
  const std::size_t whole = text.size();
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (whole - text.size() + std::max<std::size_t>(length, 1) > kShownBytes) {
      shown += "...";
      break;
    }
    if (is_shown(length, text[0])) {
      shown += text.substr(0, length);
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown + '"';
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    out += is_shown(length, text[0]) ? text.substr(0, length) : "?";
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t width, std::string_view mark) {
  const std::string whole = printable(text);
  const std::size_t characters = utf8_characters(whole);
  if (characters <= width) return whole;
  const std::size_t kept = width - utf8_characters(mark), at_end = kept / 3, at_begin = kept - at_end;
  std::string begin, end;
  std::size_t at = 0;
  for (std::string_view rest = whole; !rest.empty(); ++at) {
    const std::size_t length = utf8_length(rest);
    if (at < at_begin) begin += rest.substr(0, length);
    if (at >= characters - at_end) end += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return begin.append(mark) + end;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace treecca
