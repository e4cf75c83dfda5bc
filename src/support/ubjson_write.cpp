// UBJSON from a Document.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "support/document.hpp"

namespace treecca {
namespace {

bool is_single(double value) {
  return std::abs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

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
    whole = whole && is_exact_integer(values[i]);
    single = single && is_single(values[i]);
  }
  const auto within = [&](double low_limit, double high_limit) {
    return whole && low >= low_limit && high <= high_limit;
  };
  if (within(0, 255)) return 'U';
  if (within(-128, 127)) return 'i';
  if (within(-32768, 32767)) return 'I';
  if (within(-2147483648.0, 2147483647.0)) return 'l';
  if (single) return 'd';
  return whole ? 'L' : 'D';
}

/// Two forms. Shortest: counts and numbers in the narrowest type, arrays of texts with a common type. Compact: counts
/// of 64 bits, numbers in the given type, a type before every text and item.
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

std::string write_ubjson(const Document& document, DocumentStyle style) {
  std::string out;
  UbjsonWriter(out, style).append(document);
  return out;
}

}  // namespace treecca
