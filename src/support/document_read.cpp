#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/document.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Receives the values from nlohmann's parsers (SAX interface) and builds the Document. An exception here stops the
/// parsers, so nothing is allocated beyond the limits, whatever sizes a file claims.
class DocumentBuilder {
 public:
  DocumentBuilder(std::size_t n_bytes, Document& root, const DocumentLimits& limits)
      : n_bytes_(n_bytes), root_(root), limits_(limits) {}

  bool null() { return scalar(Document()); }
  bool boolean(bool value) { return scalar(Document(value)); }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string& /*text*/) { return number(value); }
  bool binary(std::vector<std::uint8_t>& /*value*/) { refuse("holds binary data, which no model does"); }

  bool string(std::string& value) {
    if (!in_array()) return scalar(Document(std::move(value)));
    Document& array = *open_.back();
    become(array, Document::Kind::texts);
    if (++texts_ > limits_.texts) refuse("is beyond the maximum number of names in a model");
    array.texts.push_back(std::move(value));
    return true;
  }

  bool start_object(std::size_t /*claimed*/) {
    if (in_array()) {
      Document& array = *open_.back();
      become(array, Document::Kind::items);
      if (array.items.size() >= limits_.objects) refuse("has too many entries");
    }
    return open(Document::object());
  }

  bool key(std::string& name) {
    Document& object = *open_.back();
    if (object.find(name) != nullptr) {
      refuse(fmt::format("has the key \"{}\" twice", printable(name)));
    }
    if (object.keys.size() >= limits_.keys) refuse("has too many keys");
    object.keys.push_back(std::move(name));
    return true;
  }

  bool start_array(std::size_t /*claimed*/) {
    if (in_array()) refuse("holds an array within an array, which no model does");
    return open(Document(std::vector<double>()));
  }

  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& error) {
    if (position > n_bytes_) {
      throw ModelError(fmt::format("it is damaged: it ends too early, after {} bytes.", n_bytes_));
    }
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ...": keep
    // the last part.
    std::string reason = error.what();
    const auto colon = reason.find(": ");
    if (colon != std::string::npos) reason.erase(0, colon + 2);
    throw ModelError(fmt::format("it is damaged at byte {}: {}.", position, printable(reason)));
  }

 private:
  static std::string printable(std::string text) {
    constexpr std::size_t kLongest = 200;
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c > 0x7E; }, '?');
    return text;
  }

  bool in_array() const { return !open_.empty() && open_.back()->kind != Document::Kind::object; }

  /// views[0].encoders[2].threshold
  std::string path() const {
    std::string path;
    for (const Document* container : open_) {
      if (container->kind == Document::Kind::object) {
        if (container->keys.empty()) continue;
        if (!path.empty()) path += '.';
        path += printable(container->keys.back());
      } else if (container->kind == Document::Kind::items && container != open_.back()) {
        path += fmt::format("[{}]", container->items.size() - 1);
      }
    }
    return path.empty() ? "the file" : path;
  }

  [[noreturn]] void refuse(const std::string& reason) const { throw ModelError(fmt::format("{} {}.", path(), reason)); }

  /// An array has numbers until its first element shows another kind.
  void become(Document& array, Document::Kind kind) {
    if (array.kind == kind) return;
    if (array.kind != Document::Kind::numbers || !array.numbers.empty()) {
      refuse("mixes different kinds of values in one array");
    }
    array.kind = kind;
  }

  bool number(double value) {
    if (limits_.finite && !std::isfinite(value)) refuse("holds a number that is not finite");
    if (!in_array()) return scalar(Document(value));
    become(*open_.back(), Document::Kind::numbers);
    open_.back()->numbers.push_back(value);
    return true;
  }

  bool scalar(Document value) {
    if (in_array()) refuse("holds an array with elements that are neither numbers, texts nor objects");
    place(std::move(value));
    return true;
  }

  bool open(Document container) {
    if (open_.size() >= limits_.depth) refuse("is nested too deeply");
    open_.push_back(&place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  /// Adds a value to the open container. The containers around it do not grow while it is open, so pointers stay valid.
  Document& place(Document value) {
    if (++items_ > limits_.items) refuse("is beyond the maximum number of entries in a model");
    if (open_.empty()) {
      if (value.kind != Document::Kind::object) throw ModelError("it is not a TreeCCA model: it holds no object.");
      return root_ = std::move(value);
    }
    return open_.back()->items.emplace_back(std::move(value));
  }

  std::size_t n_bytes_;
  Document& root_;
  DocumentLimits limits_;
  std::vector<Document*> open_;
  std::size_t items_ = 0;
  std::size_t texts_ = 0;
};

constexpr std::string_view kSpace = " \t\r\n";

/// The bytes after leading spaces and a byte order mark.
std::string_view content_of(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) bytes.remove_prefix(kByteOrderMark.size());
  bytes.remove_prefix(std::min(bytes.size(), bytes.find_first_not_of(kSpace)));
  return bytes;
}

}  // namespace

const Document* Document::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  const auto at = static_cast<std::size_t>(found - keys.begin());
  return at < items.size() ? &items[at] : nullptr;
}

/// An object begins with a brace in both encodings. In UBJSON it is the first byte, directly followed by a length or
/// type; in JSON a quote, a brace or space follows.
bool is_ubjson(std::string_view bytes) {
  return bytes.size() > 1 && bytes[0] == '{' && bytes[1] != '"' && bytes[1] != '}' &&
         kSpace.find(bytes[1]) == std::string_view::npos;
}

bool may_be_document(std::string_view bytes) { return content_of(bytes).substr(0, 1) == "{"; }

void read_document(std::string_view bytes, Document& document, const DocumentLimits& limits) {
  document = Document();
  if (content_of(bytes).empty()) throw ModelError("it is empty.");
  if (!may_be_document(bytes)) throw ModelError("it is not a TreeCCA model: it is neither JSON nor UBJSON.");
  using Format = nlohmann::json::input_format_t;
  DocumentBuilder builder(bytes.size(), document, limits);
  nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &builder, is_ubjson(bytes) ? Format::ubjson : Format::json);
}

}  // namespace treecca
