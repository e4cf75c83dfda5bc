// JSON from a Document.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "support/document.hpp"
#include "support/utf8.hpp"

namespace treecca {
namespace {

template <class T>
std::string_view shortest(T value, std::array<char, 32>& space) {
  const auto result = std::to_chars(space.data(), space.data() + space.size(), value);
  return {space.data(), result.ptr};
}

/// Readers of JSON convert numbers to doubles. The shortest text of a float nearly always gives the same float via
/// double. If it does not, or exceeds the largest float, the text of the double is used.
std::string_view shortest_single(float value, std::array<char, 32>& space) {
  const std::string_view text = shortest(value, space);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  if (std::abs(read) <= std::numeric_limits<float>::max() && static_cast<float>(read) == value) return text;
  return shortest(static_cast<double>(value), space);
}

void append_shortest(std::string& out, double value, bool single) {
  std::array<char, 32> space{};
  if (is_exact_integer(value)) {
    out += shortest(static_cast<std::int64_t>(value), space);
  } else if (value == 0) {
    out += "-0.0";  // "-0" would be read as the integer 0
  } else {
    out += single ? shortest_single(static_cast<float>(value), space) : shortest(value, space);
  }
}

/// Adds ".0" to the digits of a float that look like an integer.
void append_typed_number(std::string& out, double value, Document::Type type) {
  const bool single = type == Document::Type::float32;
  if (!single && type != Document::Type::float64) {
    out += fmt::format("{}", static_cast<std::int64_t>(value));
  } else if (!std::isfinite(value)) {
    out += "null";
  } else {
    const std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    out += text;
    if (text.find_first_of(".e") == std::string::npos) out += ".0";
  }
}

void append_text(std::string& out, std::string_view text, bool inside_html) {
  out += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    const bool ends_text = c == '"' || c == '\\';
    if (length == 0) {
      out += "\uFFFD";
    } else if (static_cast<unsigned char>(c) < 0x20 ||
               (inside_html && (ends_text || c == '<' || c == '>' || c == '&'))) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      if (ends_text) out += '\\';
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  out += '"';
}

class JsonWriter {
 public:
  JsonWriter(std::string& out, DocumentStyle style) : out_(out), style_(style) {}

  void append(const Document& document) {
    using Kind = Document::Kind;
    switch (document.kind) {
      case Kind::null:
        out_ += "null";
        break;
      case Kind::boolean:
        out_ += document.boolean ? "true" : "false";
        break;
      case Kind::number:
        append_number(document.number, document.type);
        break;
      case Kind::text:
        append_text(out_, document.text, false);
        break;
      case Kind::numbers:
        list('[', ']', document.numbers.size(), false,
             [&](std::size_t i) { append_number(document.numbers[i], document.type); });
        break;
      case Kind::texts:
        list('[', ']', document.texts.size(), false,
             [&](std::size_t i) { append_text(out_, document.texts[i], false); });
        break;
      case Kind::items:
        list('[', ']', document.items.size(), true, [&](std::size_t i) { append(document.items[i]); });
        break;
      case Kind::object:
        list('{', '}', document.items.size(), true, [&](std::size_t i) {
          append_text(out_, document.keys[i], false);
          out_ += compact() ? ":" : ": ";
          append(document.items[i]);
        });
        break;
    }
  }

 private:
  bool compact() const { return style_ == DocumentStyle::compact; }

  void append_number(double value, Document::Type type) {
    if (style_ == DocumentStyle::shortest) {
      append_shortest(out_, value, type == Document::Type::float32);
    } else {
      append_typed_number(out_, value, type);
    }
  }

  template <class Element>
  void list(char open, char close, std::size_t n, bool lines, Element&& element) {
    lines = lines && !compact();
    out_ += open;
    ++depth_;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) out_ += ',';
      if (lines) new_line();
      element(i);
    }
    --depth_;
    if (lines && n > 0) new_line();
    out_ += close;
  }

  void new_line() { out_.append(1, '\n').append(depth_, ' '); }

  std::string& out_;
  DocumentStyle style_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string json_text(std::string_view text, bool inside_html) {
  std::string out;
  append_text(out, text, inside_html);
  return out;
}

std::string write_json(const Document& document, DocumentStyle style) {
  std::string out;
  JsonWriter(out, style).append(document);
  if (style != DocumentStyle::compact) out += '\n';
  return out;
}

}  // namespace treecca
