#include "support/typed_value.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace treecca {
namespace {

using Json = nlohmann::json;

TypedValue sample() {
  return {TypedObject{{"text", {"a\"b\\c\n"}},
                      {"number", {std::int64_t{-7}}},
                      {"floats", {std::vector<float>{1, -0.5F, 1e-45F, 3.4028235e38F, 0.1F}}},
                      {"small", {std::vector<std::int32_t>{-1, 2147483647}}},
                      {"large", {std::vector<std::int64_t>{-1, 1LL << 40}}},
                      {"bytes", {std::vector<std::uint8_t>{0, 255}}},
                      {"list", {TypedList{{std::int64_t{1}}, {"x"}, {TypedObject{}}}}}}};
}

const Json kExpected = {{"text", "a\"b\\c\n"},
                        {"number", -7},
                        {"floats", {1.0F, -0.5F, 1e-45F, 3.4028235e38F, 0.1F}},
                        {"small", {-1, 2147483647}},
                        {"large", {-1, 1LL << 40}},
                        {"bytes", {0, 255}},
                        {"list", {1, "x", Json::object()}}};

TEST(TypedValue, JsonReadsBackAndFloatsNeverLookWhole) {
  const std::string text = to_json(sample());
  const Json read = Json::parse(text);
  EXPECT_EQ(read["floats"].get<std::vector<float>>(), kExpected["floats"].get<std::vector<float>>());
  for (const Json& number : read["floats"]) EXPECT_TRUE(number.is_number_float()) << number;
  Json others = read, expected = kExpected;
  others.erase("floats");
  expected.erase("floats");
  EXPECT_EQ(others, expected);
}

TEST(TypedValue, UbjsonReadsBackWithTheTypesAskedFor) {
  const std::string bytes = to_ubjson(sample());
  EXPECT_EQ(Json::from_ubjson(bytes), kExpected);
  for (const char* start : {"floats[$d#L", "small[$l#L", "large[$L#L", "bytes[$U#L", "list[#L"}) {
    EXPECT_NE(bytes.find(start), std::string::npos) << start;
  }
}

}  // namespace
}  // namespace treecca
