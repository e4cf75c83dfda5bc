// JSON in tests. The JSON library is included in json.cpp alone: it costs 3 seconds in every file that uses it.
#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace treecca {

/// An immutable JSON value; copies share it. Numbers compare by value, whatever their type.
class Json {
 public:
  Json(const char* text);  // NOLINT: EXPECT_EQ(json["trees"], "joint")
  template <class T>
  requires std::is_arithmetic_v<T> Json(T value) : Json(of(value)) {}  // NOLINT: EXPECT_EQ(json["n_estimators"], 10)

  /// Throws std::runtime_error for anything but one JSON value.
  static Json parse(const std::string& text);
  static Json parse_ubjson(const std::string& bytes);

  /// The value of a key, or an element; null if there is none.
  Json operator[](const char* key) const;
  template <std::integral I>
  Json operator[](I index) const {
    return element(static_cast<std::size_t>(index));
  }
  std::size_t size() const;
  bool contains(const std::string& key) const;
  bool is_null() const;
  Json without(const std::string& key) const;
  /// A copy with all numbers rounded to single precision.
  Json in_single_precision() const;
  std::vector<Json> items() const;

  double number() const;     // throws unless it is a number
  std::string text() const;  // throws unless it is a text
  std::string dump() const;

  friend bool operator==(const Json& a, const Json& b) { return equal(a, b); }
  friend std::ostream& operator<<(std::ostream& stream, const Json& json);

 private:
  struct Value;
  explicit Json(std::shared_ptr<const Value> value) : value_(std::move(value)) {}
  static Json of(bool value);
  static Json of(double value);
  template <class T>
  static Json of(T value) {
    return of(static_cast<double>(value));
  }
  static bool equal(const Json& a, const Json& b);
  Json element(std::size_t index) const;

  std::shared_ptr<const Value> value_;
};

}  // namespace treecca
