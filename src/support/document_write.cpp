#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "support/document.hpp"
#include "support/utf8.hpp"

namespace treecca {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

/// -0 is not whole here: its sign would be lost.
bool is_whole(double value) {
  return std::abs(value) <= kExactIntegers && value == std::trunc(value) && !(value == 0 && std::signbit(value));
}

bool is_single(double value) {
  return std::abs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

// ---- JSON ----

template <class T>
std::string_view shortest(T value, std::array<char, 32>& space) {
  const auto result = std::to_chars(space.data(), space.data() + space.size(), value);
  return {space.data(), result.ptr};
}

/// Readers of JSON take numbers as doubles. The shortest text of a float nearly always becomes that
/// float again on the way over double. Where it does not, or lies beyond the largest float, the
/// text of the double is used.
std::string_view shortest_single(float value, std::array<char, 32>& space) {
  const std::string_view text = shortest(value, space);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  if (std::abs(read) <= std::numeric_limits<float>::max() && static_cast<float>(read) == value) return text;
  return shortest(static_cast<double>(value), space);
}

void append_shortest(std::string& out, double value, bool single) {
  std::array<char, 32> space{};
  if (is_whole(value)) {
    out += shortest(static_cast<std::int64_t>(value), space);
  } else if (value == 0) {
    out += "-0.0";  // "-0" would be read as the integer 0
  } else {
    out += single ? shortest_single(static_cast<float>(value), space) : shortest(value, space);
  }
}

/// The digits of a float without a point look like an integer: ".0" is added.
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

// ---- UBJSON ----

template <class T>
void append_big_endian(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes{};
  auto bits = static_cast<std::uint64_t>(value);
  for (std::size_t i = sizeof(T); i-- > 0; bits >>= 8) bytes[i] = static_cast<char>(bits & 0xFF);
  out.append(bytes.data(), bytes.size());
}

void append_payload(std::string& out, char type, double value) {
  switch (type) {
    case 'U':
      append_big_endian(out, static_cast<std::uint8_t>(value));
      break;
    case 'i':
      append_big_endian(out, static_cast<std::int8_t>(value));
      break;
    case 'I':
      append_big_endian(out, static_cast<std::int16_t>(value));
      break;
    case 'l':
      append_big_endian(out, static_cast<std::int32_t>(value));
      break;
    case 'L':
      append_big_endian(out, static_cast<std::int64_t>(value));
      break;
    case 'd':
      append_big_endian(out, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
      break;
    default:
      append_big_endian(out, std::bit_cast<std::uint64_t>(value));
      break;
  }
}

/// The narrowest type that holds all numbers exactly.
char narrowest_type(const double* values, std::size_t n) {
  double low = 0;
  double high = 0;
  bool whole = true;
  bool single = true;
  for (std::size_t i = 0; i < n; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
    whole = whole && is_whole(values[i]);
    single = single && is_single(values[i]);
  }
  const auto within = [&](double least, double greatest) { return whole && low >= least && high <= greatest; };
  if (within(0, 255)) return 'U';
  if (within(-128, 127)) return 'i';
  if (within(-32768, 32767)) return 'I';
  if (within(-2147483648.0, 2147483647.0)) return 'l';
  if (single) return 'd';
  return whole ? 'L' : 'D';
}

/// Two forms. Shortest: counts and numbers in the narrowest type, arrays of texts with a common type. Compact: counts
/// of 64 bits, numbers in the type given, a type in front of every text and item.
class UbjsonWriter {
 public:
  UbjsonWriter(std::string& out, DocumentStyle style) : out_(out), shortest_(style == DocumentStyle::shortest) {}

  void append(const Document& document) {
    using Kind = Document::Kind;
    switch (document.kind) {
      case Kind::null:
        out_ += 'Z';
        break;
      case Kind::boolean:
        out_ += document.boolean ? 'T' : 'F';
        break;
      case Kind::number: {
        const char type = type_of(&document.number, 1, document.type);
        out_ += type;
        append_payload(out_, type, document.number);
        break;
      }
      case Kind::text:
        out_ += 'S';
        append_counted(document.text);
        break;
      case Kind::numbers: {
        const char type = type_of(document.numbers.data(), document.numbers.size(), document.type);
        append_array_head(type, document.numbers.size());
        for (const double value : document.numbers) append_payload(out_, type, value);
        break;
      }
      case Kind::texts:
        append_array_head(shortest_ ? 'S' : '\0', document.texts.size());
        for (const std::string& text : document.texts) {
          if (!shortest_) out_ += 'S';
          append_counted(text);
        }
        break;
      case Kind::items:
        if (shortest_) {
          out_ += '[';
        } else {
          append_array_head('\0', document.items.size());
        }
        for (const Document& item : document.items) append(item);
        if (shortest_) out_ += ']';
        break;
      case Kind::object:
        out_ += '{';
        for (std::size_t i = 0; i < document.items.size(); ++i) {
          append_counted(document.keys[i]);
          append(document.items[i]);
        }
        out_ += '}';
        break;
    }
  }

 private:
  char type_of(const double* values, std::size_t n, Document::Type type) const {
    return shortest_ ? narrowest_type(values, n) : static_cast<char>(type);
  }
  void append_count(std::size_t count) {
    const auto value = static_cast<double>(count);
    const char type = type_of(&value, 1, Document::Type::int64);
    out_ += type;
    append_payload(out_, type, value);
  }
  /// A text without its marker 'S', as keys are written.
  void append_counted(std::string_view text) {
    append_count(text.size());
    out_ += text;
  }
  /// type: of all elements, or 0.
  void append_array_head(char type, std::size_t n) {
    out_ += '[';
    if (type != '\0') out_.append(1, '$').append(1, type);
    out_ += '#';
    append_count(n);
  }

  std::string& out_;
  bool shortest_;
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

std::string write_ubjson(const Document& document, DocumentStyle style) {
  std::string out;
  UbjsonWriter(out, style).append(document);
  return out;
}

}  // namespace treecca
