// What a model file consists of, between its bytes and the Model: one small tree of values for both
// encodings.
//
// Only the shapes that the schema needs exist: null, true/false, number, text; arrays of numbers,
// of texts or of objects; objects. Numbers are doubles, so whole numbers are exact up to 2^53.
// Arrays of numbers are plain vectors, because nearly all of a model file is numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace treecca {

struct Document {
  enum class Kind { null, boolean, number, text, numbers, texts, objects, object };

  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<double> numbers;
  bool single = false;  // numbers are floats: JSON needs only the digits that tell floats apart
  std::vector<std::string> texts;
  std::vector<std::string> keys;  // of an object
  std::vector<Document> items;    // of an object: one per key; of an array of objects: the objects

  Document() = default;
  explicit Document(bool value) : kind(Kind::boolean), boolean(value) {}
  explicit Document(double value) : kind(Kind::number), number(value) {}
  explicit Document(std::string value) : kind(Kind::text), text(std::move(value)) {}
  explicit Document(std::vector<double> values) : kind(Kind::numbers), numbers(std::move(values)) {}
  explicit Document(const std::vector<float>& values)
      : kind(Kind::numbers), numbers(values.begin(), values.end()), single(true) {}
  explicit Document(std::vector<std::string> values) : kind(Kind::texts), texts(std::move(values)) {}
  explicit Document(std::vector<Document> values) : kind(Kind::objects), items(std::move(values)) {}
  static Document object() {
    Document document;
    document.kind = Kind::object;
    return document;
  }

  void add(std::string key, Document value) {
    keys.push_back(std::move(key));
    items.push_back(std::move(value));
  }
  /// The value of a key of an object, or null when there is none.
  const Document* find(std::string_view key) const;
};

/// JSON: one key per line, arrays of numbers on one line, every number in the shortest text that
/// reads back to the same bits. UBJSON: arrays of numbers as typed arrays of the narrowest type
/// that holds all of them exactly.
std::string write_json(const Document& document);
std::string write_ubjson(const Document& document);

/// What a reader accepts at most. Far beyond real models; hostile files reach them before memory is
/// short.
struct DocumentLimits {
  std::size_t depth = 8;           // objects and arrays within each other
  std::size_t keys = 64;           // of one object
  std::size_t objects = 1000;      // in one array
  std::size_t items = 1'000'000;   // values other than elements of arrays, in all
  std::size_t texts = 16'777'216;  // elements of arrays of texts, in all
};

/// Whether the first bytes of a file can be those of an object in either encoding; the cheap first
/// look.
bool may_be_document(std::string_view bytes);
/// Which of the two encodings the first bytes of an object are.
bool is_ubjson(std::string_view bytes);

/// Reads either encoding (recognised by content) into `document`. Allocates in proportion to the
/// bytes read, whatever sizes they claim. On failure `document` holds what was read so far.
/// Failure: ModelError that names the path of the culprit (views[0].encoders[2].threshold) or the
/// byte.
void read_document(std::string_view bytes, Document& document, const DocumentLimits& limits = {});

}  // namespace treecca
