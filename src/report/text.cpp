#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "support/utf8.hpp"

namespace treecca {
namespace {

std::string padded(const std::string& cell, std::size_t width, bool left) {
  const std::size_t length = utf8_characters(cell);
  const std::string blanks(width > length ? width - length : 0, ' ');
  return left ? cell + blanks : blanks + cell;
}

}  // namespace

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale(value);
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

std::string wrapped(std::string_view text, int indent) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!line.empty() && utf8_characters(line) + 1 + utf8_characters(word) > kTextWidth - margin.size()) flush();
    line += (line.empty() ? "" : " ") + word;
  }
  flush();
  return out;
}

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string short_percent(double share) {
  return share > 0 && share < 0.005 ? "<1%" : fmt::format("{:.0f}%", 100 * share);
}

std::string duration(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::min(seconds, 1e15) + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string bar(double share, int width) {
  share = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  if (!locale_is_utf8()) {
    return std::string(static_cast<std::size_t>(std::lround(share * width)), '#');
  }
  static constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(std::lround(share * width * 8));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  return out.append(kEighths[eighths % 8]);
}

std::string sparkline(const std::vector<double>& values, int width) {
  static constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::array<std::string_view, 8> kAscii{"_", ".", ",", "-", "~", "=", "^", "#"};
  const auto& levels = locale_is_utf8() ? kBlocks : kAscii;
  const std::size_t columns = std::min(values.size(), static_cast<std::size_t>(width));
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  std::string out;
  for (std::size_t column = 0; column < columns; ++column) {
    // The last column shows the last value.
    const std::size_t at = (column + 1) * values.size() / columns - 1;
    if (!std::isfinite(values[at])) {
      out += ' ';
      continue;
    }
    const double height = high > low ? (values[at] - low) / (high - low) : 0.5;
    out += levels[std::min<std::size_t>(7, static_cast<std::size_t>(height * 8))];
  }
  return out;
}

TextTable::TextTable(std::vector<std::string> header, std::string alignment) : alignment_(std::move(alignment)) {
  rows_.push_back(std::move(header));
}

void TextTable::add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

void TextTable::add_rule() { rows_.emplace_back(); }

std::string TextTable::to_string(int indent) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  std::size_t total = 0;
  for (std::size_t j = 0; j < widths.size(); ++j) {
    for (const auto& row : rows_) {
      if (j < row.size()) widths[j] = std::max(widths[j], utf8_characters(row[j]));
    }
    total += widths[j] + (j > 0 ? 3 : 0);
  }
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    if (row.empty()) line.assign(total, '-');
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j > 0) line += "   ";
      line += padded(row[j], widths[j], alignment_[j] == 'l');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += margin + line + "\n";
  }
  return out;
}

}  // namespace treecca
