#include "report/html.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/text.hpp"
#include "support/utf8.hpp"

namespace treecca::report {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        // HTML does not allow control characters.
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return result;
}

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string fixed(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string count(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string cut_middle(std::string_view text, std::size_t most) {
  const std::string whole = printable(text);
  const std::size_t characters = utf8_characters(whole);
  if (characters <= most) return whole;
  const std::size_t at_end = most / 3, at_begin = most - at_end;
  std::string begin, end;
  std::size_t at = 0;
  for (std::string_view rest = whole; !rest.empty(); ++at) {
    const std::size_t length = utf8_length(rest);
    if (at < at_begin) begin += rest.substr(0, length);
    if (at >= characters - at_end) end += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return begin + "…" + end;
}

std::string table(const std::vector<std::string>& header, const std::vector<TableRow>& rows, std::size_t first_number) {
  const auto cells = [&](const TableRow& row, std::string_view tag, std::string_view scope) {
    std::string html = row.style.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", row.style);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      html +=
          fmt::format("<{}{}{}>{}</{}>", tag, scope, c >= first_number ? " class=\"number\"" : "", row.cells[c], tag);
    }
    return html + "</tr>\n";
  };
  std::string html =
      "<div class=\"scroll\"><table><thead>" + cells({header}, "th", " scope=\"col\"") + "</thead><tbody>\n";
  for (const TableRow& row : rows) html += cells(row, "td", "");
  return html + "</tbody></table></div>\n";
}

std::string remark(const std::string& html) { return "<p class=\"soft\">" + html + "</p>\n"; }

}  // namespace treecca::report
