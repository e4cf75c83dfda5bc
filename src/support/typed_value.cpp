#include "support/typed_value.hpp"

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <iterator>
#include <type_traits>

namespace treecca {
namespace {

class JsonWriter {
 public:
  void operator()(const std::string& text) {
    out_ += '"';
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (byte < 0x20) {
        fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(byte));
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }
  void operator()(std::int64_t number) { fmt::format_to(std::back_inserter(out_), "{}", number); }
  void operator()(const TypedValue& value) { std::visit(*this, value.value); }
  void operator()(const TypedObject& object) {
    out_ += '{';
    for (std::size_t i = 0; i < object.size(); ++i) {
      if (i > 0) out_ += ',';
      (*this)(object[i].first);
      out_ += ':';
      (*this)(object[i].second);
    }
    out_ += '}';
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ',';
      element(list[i]);
    }
    out_ += ']';
  }
  std::string take() { return std::move(out_); }

 private:
  void element(const TypedValue& value) { (*this)(value); }
  void element(float number) {
    const std::string text = fmt::format("{}", number);
    out_ += text;
    if (text.find_first_of(".e") == std::string::npos) out_ += ".0";
  }
  void element(std::integral auto number) { (*this)(std::int64_t{number}); }

  std::string out_;
};

class UbjsonWriter {
 public:
  void operator()(const std::string& text) {
    out_ += 'S';
    counted(text);
  }
  void operator()(std::int64_t number) {
    out_ += 'L';
    big_endian(number);
  }
  void operator()(const TypedValue& value) { std::visit(*this, value.value); }
  void operator()(const TypedObject& object) {
    out_ += '{';
    for (const auto& [key, value] : object) {
      counted(key);
      (*this)(value);
    }
    out_ += '}';
  }
  void operator()(const TypedList& list) {
    begin_array('\0', list.size());
    for (const TypedValue& value : list) (*this)(value);
  }
  void operator()(const std::vector<float>& numbers) { typed('d', numbers); }
  void operator()(const std::vector<std::int32_t>& numbers) { typed('l', numbers); }
  void operator()(const std::vector<std::int64_t>& numbers) { typed('L', numbers); }
  void operator()(const std::vector<std::uint8_t>& numbers) { typed('U', numbers); }
  std::string take() { return std::move(out_); }

 private:
  void begin_array(char type, std::size_t size) {
    out_ += '[';
    if (type != '\0') {
      out_ += '$';
      out_ += type;
    }
    out_ += '#';
    out_ += 'L';
    big_endian(static_cast<std::int64_t>(size));
  }
  template <class T>
  void typed(char type, const std::vector<T>& numbers) {
    begin_array(type, numbers.size());
    for (const T number : numbers) big_endian(number);
  }
  void counted(const std::string& text) {
    out_ += 'L';
    big_endian(static_cast<std::int64_t>(text.size()));
    out_ += text;
  }
  void big_endian(float number) { big_endian(std::bit_cast<std::uint32_t>(number)); }
  template <std::integral T>
  void big_endian(T number) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(number);
    for (int shift = 8 * (static_cast<int>(sizeof(T)) - 1); shift >= 0; shift -= 8) {
      out_ += static_cast<char>(static_cast<std::uint64_t>(bits) >> shift);
    }
  }

  std::string out_;
};

template <class Writer>
std::string written(const TypedValue& value) {
  Writer writer;
  writer(value);
  return writer.take();
}

}  // namespace

std::string to_json(const TypedValue& value) { return written<JsonWriter>(value); }
std::string to_ubjson(const TypedValue& value) { return written<UbjsonWriter>(value); }

}  // namespace treecca
