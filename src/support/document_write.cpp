#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "support/document.hpp"

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
/// float again on the way over double. Where it does not, or lies beyond the greatest float, the
/// text of the double stands.
std::string_view shortest_single(float value, std::array<char, 32>& space) {
  const std::string_view text = shortest(value, space);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  if (std::abs(read) <= std::numeric_limits<float>::max() && static_cast<float>(read) == value) return text;
  return shortest(static_cast<double>(value), space);
}

void append_number(std::string& out, double value, bool single) {
  std::array<char, 32> space{};
  if (is_whole(value)) {
    out += shortest(static_cast<std::int64_t>(value), space);
  } else if (value == 0) {
    out += "-0.0";  // "-0" would be read as the whole number 0
  } else {
    out += single ? shortest_single(static_cast<float>(value), space) : shortest(value, space);
  }
}

void append_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_json(std::string& out, const Document& document, std::size_t indent) {
  using Kind = Document::Kind;
  const auto list = [&](std::string_view open, std::string_view close, std::size_t n, bool lines, const auto& element) {
    out += open;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) out += ',';
      if (lines) out.append(1, '\n').append(indent + 1, ' ');
      element(i);
    }
    if (lines && n > 0) out.append(1, '\n').append(indent, ' ');
    out += close;
  };
  switch (document.kind) {
    case Kind::null:
      out += "null";
      break;
    case Kind::boolean:
      out += document.boolean ? "true" : "false";
      break;
    case Kind::number:
      append_number(out, document.number, false);
      break;
    case Kind::text:
      append_text(out, document.text);
      break;
    case Kind::numbers:
      list("[", "]", document.numbers.size(), false,
           [&](std::size_t i) { append_number(out, document.numbers[i], document.single); });
      break;
    case Kind::texts:
      list("[", "]", document.texts.size(), false, [&](std::size_t i) { append_text(out, document.texts[i]); });
      break;
    case Kind::objects:
      list("[", "]", document.items.size(), true,
           [&](std::size_t i) { append_json(out, document.items[i], indent + 1); });
      break;
    case Kind::object:
      list("{", "}", document.items.size(), true, [&](std::size_t i) {
        append_text(out, document.keys[i]);
        out += ": ";
        append_json(out, document.items[i], indent + 1);
      });
      break;
  }
}

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

void append_typed(std::string& out, double value) {
  const char type = narrowest_type(&value, 1);
  out += type;
  append_payload(out, type, value);
}

/// A text without its marker 'S', as keys are written.
void append_bare_text(std::string& out, std::string_view text) {
  append_typed(out, static_cast<double>(text.size()));
  out += text;
}

void append_array_head(std::string& out, char type, std::size_t n) {
  out += "[$";
  out += type;
  out += '#';
  append_typed(out, static_cast<double>(n));
}

void append_ubjson(std::string& out, const Document& document) {
  using Kind = Document::Kind;
  switch (document.kind) {
    case Kind::null:
      out += 'Z';
      break;
    case Kind::boolean:
      out += document.boolean ? 'T' : 'F';
      break;
    case Kind::number:
      append_typed(out, document.number);
      break;
    case Kind::text:
      out += 'S';
      append_bare_text(out, document.text);
      break;
    case Kind::numbers: {
      const char type = narrowest_type(document.numbers.data(), document.numbers.size());
      append_array_head(out, type, document.numbers.size());
      for (const double value : document.numbers) append_payload(out, type, value);
      break;
    }
    case Kind::texts:
      append_array_head(out, 'S', document.texts.size());
      for (const std::string& text : document.texts) append_bare_text(out, text);
      break;
    case Kind::objects:
      out += '[';
      for (const Document& item : document.items) append_ubjson(out, item);
      out += ']';
      break;
    case Kind::object:
      out += '{';
      for (std::size_t i = 0; i < document.items.size(); ++i) {
        append_bare_text(out, document.keys[i]);
        append_ubjson(out, document.items[i]);
      }
      out += '}';
      break;
  }
}

}  // namespace

std::string write_json(const Document& document) {
  std::string out;
  append_json(out, document, 0);
  out += '\n';
  return out;
}

std::string write_ubjson(const Document& document) {
  std::string out;
  append_ubjson(out, document);
  return out;
}

}  // namespace treecca
