// Writes the wire format of Protocol Buffers, only the part needed for ONNX: every field has a number and a kind, then
// an integer (varint) or a length and bytes (text, a message, packed numbers).
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace treecca {

class ProtobufMessage {
 public:
  ProtobufMessage& number(int field, std::int64_t value) {
    tag(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  ProtobufMessage& text(int field, std::string_view bytes) {
    tag(field, 2);
    varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  ProtobufMessage& message(int field, const ProtobufMessage& content) { return text(field, content.bytes_); }
  ProtobufMessage& numbers(int field, const std::vector<std::int64_t>& values) {
    ProtobufMessage packed;
    for (const std::int64_t value : values) packed.varint(static_cast<std::uint64_t>(value));
    return message(field, packed);
  }
  ProtobufMessage& floats(int field, const std::vector<float>& values) { return fixed<std::uint32_t>(field, values); }
  ProtobufMessage& doubles(int field, const std::vector<double>& values) { return fixed<std::uint64_t>(field, values); }
  const std::string& bytes() const { return bytes_; }

 private:
  void tag(int field, int kind) { varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(kind)); }
  template <class Bits, class T>
  ProtobufMessage& fixed(int field, const std::vector<T>& values) {
    tag(field, 2);
    varint(sizeof(T) * values.size());
    for (const T value : values) {
      const auto bits = std::bit_cast<Bits>(value);
      for (std::size_t byte = 0; byte < sizeof(T); ++byte) bytes_ += static_cast<char>(bits >> (8 * byte));
    }
    return *this;
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace treecca
