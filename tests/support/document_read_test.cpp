#include <gtest/gtest.h>

#include <string>

#include "support/document.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using std::string_literals::operator""s;

std::string error_of(const std::string& bytes, const DocumentLimits& limits = {}) {
  Document document;
  try {
    read_document(bytes, document, limits);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::string& bytes, const std::string& part) {
  const std::string error = error_of(bytes);
  EXPECT_NE(error.find(part), std::string::npos) << "bytes: " << bytes.substr(0, 200) << "\nerror: " << error;
}

TEST(ReadDocument, RecognisesTheEncoding) {
  for (const std::string& bytes :
       {"{\"a\":[1,2]}"s, "{ \"a\":[1,2]}"s, " \n{\"a\":[1,2]}\n"s, "\xEF\xBB\xBF{\"a\":[1,2]}"s, "{\n\"a\":[1,2]}"s,
        "{U\x01"s + "a[$U#U\x02\x01\x02}"s, "{i\x01"s + "a[U\x01i\x02]}"s, "{#U\x01U\x01"s + "a[#U\x02U\x01U\x02"s,
        "{$[#U\x01U\x01"s + "aU\x01U\x02]"s}) {
    Document document;
    ASSERT_NO_THROW(read_document(bytes, document)) << bytes;
    ASSERT_NE(document.find("a"), nullptr) << bytes;
    EXPECT_EQ(document.find("a")->numbers, (std::vector<double>{1, 2})) << bytes;
  }
}

TEST(ReadDocument, WhatIsNoObject) {
  expect_error("", "it is empty");
  expect_error(" \n ", "it is empty");
  expect_error("id,a,b\n1,2,3\n", "neither JSON nor UBJSON");
  expect_error("[1,2]", "neither JSON nor UBJSON");
  expect_error("\x1F\x8B\x08", "neither JSON nor UBJSON");
  expect_error("{", "ends too early");
  expect_error("{\"a\":", "ends too early");
  expect_error("{\"a\":\"b", "ends too early");
  expect_error("{\"a\":1", "ends too early");
  expect_error("{\"a\":1}}", "damaged at byte 8");
  expect_error("{\"a\" 1}", "damaged at byte 6");
  expect_error("{\"a\":1e999}", "damaged at byte");
  expect_error("{\"a\":\"\xFF\"}", "damaged at byte");
  expect_error("{U\x05xy", "ends too early");
  expect_error("{U\x01xQ}", "damaged at byte");
  expect_error("{U\x01xU\x01}x", "damaged at byte");
}

TEST(ReadDocument, NamesThePathOfTheCulprit) {
  expect_error("{\"views\":[{\"a\":1},{\"x\":{\"y\":[1,\"b\"]}}]}", "views[1].x.y mixes");
  expect_error("{\"views\":[{\"a\":1},{\"x\":{\"y\":[[1]]}}]}", "views[1].x.y holds an array within an array");
  expect_error("{\"a\":{\"b\":[true]}}", "a.b holds an array with elements that are neither");
  expect_error("{\"a\":{\"b\":[null]}}", "a.b holds an array with elements that are neither");
  expect_error("{\"a\":[{},1]}", "a mixes");
  expect_error("{\"a\":[1,{}]}", "a mixes");
  expect_error("{\"a\":[\"x\",1]}", "a mixes");
  expect_error("{\"a\":1,\"a\":2}", "has the key \"a\" twice");
  expect_error("{\"v\":[{\"a\":1,\"b\":2,\"a\":3}]}", "v[0].b has the key \"a\" twice");
  expect_error("{U\x01"s + "aU\x01U\x01"s + "aU\x02}"s, "has the key \"a\" twice");
}

TEST(ReadDocument, NumbersMustBeFinite) {
  expect_error("{U\x01"s + "ad\x7F\xC0\x00\x00}"s, "a holds a number that is not finite");
  expect_error("{U\x01"s + "a[$d#U\x01\x7F\x80\x00\x00}"s, "a holds a number that is not finite");
  expect_error("{U\x01"s + "aD\xFF\xF0\x00\x00\x00\x00\x00\x00}"s, "a holds a number that is not finite");
}

/// Sizes that a file claims but does not fill: an error at once, without memory or time in
/// proportion to the claim.
TEST(ReadDocument, HostileSizesEndAtOnce) {
  const std::string huge = "L\x10\x00\x00\x00\x00\x00\x00\x00"s;  // 2^60
  for (const char type : std::string("UiIlLdDCSHZTFN[{")) {
    const std::string array = "{U\x01"s + "a[$" + type + "#" + huge;
    const std::string object = "{U\x01"s + "a{$" + type + "#" + huge;
    EXPECT_NE(error_of(array), "no error") << type;
    EXPECT_NE(error_of(object), "no error") << type;
    EXPECT_NE(error_of(array + std::string(1000, '\0')), "no error") << type;
    EXPECT_NE(error_of(object + std::string(1000, 'U')), "no error") << type;
    EXPECT_NE(error_of("{$"s + type + "#" + huge + std::string(1000, 'i')), "no error") << type;
    EXPECT_NE(error_of(array + std::string(1000, type)), "no error") << type;
  }
  EXPECT_NE(error_of("{U\x01"s + "a[#" + huge + std::string(1000, 'N')), "no error");
  EXPECT_NE(error_of("{U\x01"s + "aS" + huge + "text"), "no error");
  EXPECT_NE(error_of("{" + huge), "no error");
  EXPECT_NE(error_of("{U\x01"s + "aSL\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s), "no error");
  EXPECT_NE(error_of("{U\x01"s + "a[$U#L\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s), "no error");
}

TEST(ReadDocument, DeepNestingEndsAtOnce) {
  std::string json;
  std::string ubjson;
  std::string alternating;
  for (int i = 0; i < 1'000'000; ++i) {
    json += "{\"a\":";
    ubjson += "{U\x01"s + "a";
    alternating += "{\"a\":[";
  }
  expect_error(json, "nested too deeply");
  expect_error(ubjson, "nested too deeply");
  expect_error(alternating, "nested too deeply");
  expect_error("{\"a\":" + std::string(1'000'000, '['), "array within an array");
  expect_error("{U\x01"s + "a" + std::string(1'000'000, '['), "array within an array");
}

TEST(ReadDocument, CountsAreLimited) {
  const auto repeat = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += (i > 0 ? "," : "") + part;
    return text;
  };
  DocumentLimits limits{.depth = 8, .keys = 3, .objects = 4, .items = 1000, .texts = 5};
  EXPECT_EQ(error_of("{\"a\":1,\"b\":2,\"c\":3}", limits), "no error");
  EXPECT_EQ(error_of("{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", limits), "c has too many keys.");
  EXPECT_EQ(error_of("{\"a\":[" + repeat("{}", 4) + "]}", limits), "no error");
  EXPECT_EQ(error_of("{\"a\":[" + repeat("{}", 5) + "]}", limits), "a has too many entries.");
  EXPECT_EQ(error_of("{\"a\":[" + repeat("\"x\"", 3) + "],\"b\":[" + repeat("\"x\"", 2) + "]}", limits), "no error");
  EXPECT_NE(error_of("{\"a\":[" + repeat("\"x\"", 3) + "],\"b\":[" + repeat("\"x\"", 3) + "]}", limits), "no error");
  limits.items = 5;
  EXPECT_EQ(error_of("{\"a\":[" + repeat("{}", 3) + "]}", limits), "no error");
  EXPECT_NE(error_of("{\"a\":[" + repeat("{}", 4) + "]}", limits), "no error");
}

TEST(ReadDocument, KeepsWhatWasReadBeforeTheDamage) {
  Document document;
  EXPECT_THROW(read_document("{\"format_version\":7,\"b\":[[", document), ModelError);
  ASSERT_NE(document.find("format_version"), nullptr);
  EXPECT_EQ(document.find("format_version")->number, 7);
  EXPECT_EQ(document.find("c"), nullptr);
}

TEST(ReadDocument, MessagesArePrintable) {
  const std::string error = error_of("{\"\\u0001\\u001b[31m\xC3\xA9\":[null]}");
  for (const char c : error) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << error;
  EXPECT_LT(error_of("{\"" + std::string(100'000, 'x') + "\":[null]}").size(), 1000U);
}

}  // namespace
}  // namespace treecca
