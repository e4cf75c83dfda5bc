// A tree of values whose arrays have types, as XGBoost's model files want them, in both encodings.
//
// XGBoost's reader tells whole numbers from others by how they are written: floats always have a point or an exponent
// in JSON, and arrays have exactly these types in UBJSON. (The files of our own models need neither: see document.hpp.)
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace treecca {

struct TypedValue;
using TypedObject = std::vector<std::pair<std::string, TypedValue>>;
using TypedList = std::vector<TypedValue>;

struct TypedValue {
  std::variant<std::string, std::int64_t, std::vector<float>, std::vector<std::int32_t>, std::vector<std::int64_t>,
               std::vector<std::uint8_t>, TypedList, TypedObject>
      value;
};

std::string to_json(const TypedValue& value);
std::string to_ubjson(const TypedValue& value);

}  // namespace treecca
