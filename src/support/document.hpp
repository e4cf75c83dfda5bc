// A JSON value: the intermediate form between bytes (JSON or UBJSON) and structures, for model files, summaries for
// other programs, and XGBoost's files.
//
// Kinds: null, true or false, number, text; arrays of numbers, of texts, or of any items; objects. Numbers are doubles,
// so integers are exact up to 2^53; their type determines how they are written. Arrays of numbers are plain vectors,
// because nearly all of a model file is numbers.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace treecca {

struct Document {
  enum class Kind { null, boolean, number, text, numbers, texts, items, object };
  enum class Type : char {
    uint8 = 'U',
    int32 = 'l',
    int64 = 'L',
    float32 = 'd',
    float64 = 'D'
  };  // the type markers of UBJSON

  Kind kind = Kind::null;
  Type type = Type::float64;  // of a number, or of all numbers of an array
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::vector<std::string> keys;  // of an object
  std::vector<Document> items;    // of an object: one per key; else the elements

  Document() = default;
  explicit Document(bool value) : kind(Kind::boolean), boolean(value) {}
  explicit Document(std::floating_point auto value) : kind(Kind::number), number(value) {}
  explicit Document(std::integral auto value)
      : kind(Kind::number), type(Type::int64), number(static_cast<double>(value)) {}
  explicit Document(std::string_view value) : kind(Kind::text), text(value) {}
  explicit Document(const char* value) : Document(std::string_view(value)) {}
  explicit Document(std::string value) : kind(Kind::text), text(std::move(value)) {}
  explicit Document(std::vector<double> values, Type of_all = Type::float64)
      : kind(Kind::numbers), type(of_all), numbers(std::move(values)) {}
  explicit Document(const std::vector<float>& values) : Document({values.begin(), values.end()}, Type::float32) {}
  explicit Document(const std::vector<std::uint8_t>& values) : Document({values.begin(), values.end()}, Type::uint8) {}
  explicit Document(const std::vector<std::int32_t>& values) : Document({values.begin(), values.end()}, Type::int32) {}
  explicit Document(std::vector<std::string> values) : kind(Kind::texts), texts(std::move(values)) {}
  explicit Document(std::vector<Document> values) : kind(Kind::items), items(std::move(values)) {}
  static Document object() {
    Document document;
    document.kind = Kind::object;
    return document;
  }

  /// Adds a member to an object; returns the object, so that calls can be chained.
  Document& add(std::string key, Document value) & {
    keys.push_back(std::move(key));
    items.push_back(std::move(value));
    return *this;
  }
  template <class T>
  Document& add(std::string key, T&& value) & {
    return add(std::move(key), Document(std::forward<T>(value)));
  }
  template <class T>
  Document&& add(std::string key, T&& value) && {
    return std::move(add(std::move(key), Document(std::forward<T>(value))));
  }
  /// Null if an object lacks the key.
  const Document* find(std::string_view key) const;
};

/// Whether writers may use an integer type: an integer up to 2^53. Not -0, whose sign would be lost.
inline bool is_exact_integer(double value) {
  constexpr double kMost = 9007199254740992.0;
  return std::abs(value) <= kMost && value == std::trunc(value) && !(value == 0 && std::signbit(value));
}

/// The spelling of numbers in a file, and its layout.
enum class DocumentStyle {
  shortest,  // model files: every number in the shortest form that reads back to the same bits, whatever its type; in
             // UBJSON all numbers of an array in the narrowest type
  typed,     // floats always have a point or an exponent
  compact    // typed, JSON without blanks, UBJSON with exactly the types given and 64-bit counts: XGBoost's reader
             // recognises integers by how they are written and takes no other counts
};

/// JSON with one key or item per line (unless compact), arrays of numbers and texts on one line, a newline at the end.
/// Bytes that are not UTF-8 become U+FFFD; typed numbers that are not finite become null.
std::string write_json(const Document& document, DocumentStyle style = DocumentStyle::shortest);
std::string write_ubjson(const Document& document, DocumentStyle style = DocumentStyle::shortest);

/// A text as JSON, with quotes. inside_html: also safe inside a script element.
std::string json_text(std::string_view text, bool inside_html = false);

/// The limits of a reader. Far above real models; hostile files exceed them before memory runs out.
struct DocumentLimits {
  std::size_t depth = 8;           // objects and arrays within each other
  std::size_t keys = 64;           // of one object
  std::size_t objects = 1000;      // in one array
  std::size_t items = 1'000'000;   // values other than elements of arrays, in all
  std::size_t texts = 16'777'216;  // elements of arrays of texts, in all
  bool finite = true;              // refuse NaN and infinities
};

/// Whether the first bytes of a file may begin an object in either encoding: a cheap first check.
bool may_be_document(std::string_view bytes);
/// Recognises the encoding by the first bytes of an object.
bool is_ubjson(std::string_view bytes);

/// Reads an object in either encoding (recognised by content) into `document`. The items of an array are objects.
/// Allocates in proportion to the bytes read, whatever sizes they claim. On failure `document` holds the part read so
/// far. Failure: ModelError with the path of the element at fault (views[0].encoders[2].threshold) or the byte.
void read_document(std::string_view bytes, Document& document, const DocumentLimits& limits = {});

}  // namespace treecca
