#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "helpers/json.hpp"
#include "support/document.hpp"

namespace treecca {
namespace {

Document with(const std::string& key, Document value) {
  Document document = Document::object();
  document.add(key, std::move(value));
  return document;
}

Document sample() {
  Document inner = Document::object();
  inner.add("empty", Document(std::vector<double>{}));
  inner.add("none", Document());
  Document document = Document::object();
  document.add("yes", Document(true));
  document.add("no", Document(false));
  document.add("count", Document(300.0));
  document.add("name", Document(std::string("a \"b\" \\ \n \x01 \xC3\xA9")));
  document.add("names", Document(std::vector<std::string>{"x", "", std::string(300, 'y')}));
  document.add("small", Document(std::vector<double>{0, 255, 7}));
  document.add("signed", Document(std::vector<double>{-1, 127}));
  document.add("short", Document(std::vector<double>{-1, 300}));
  document.add("int", Document(std::vector<double>{70000, -70000}));
  document.add("long", Document(std::vector<double>{9007199254740992.0, 4294967297.0}));
  document.add("single", Document(std::vector<float>{0.1F, 1e-45F, 3.4028235e38F}));
  document.add("double", Document(std::vector<double>{0.1, 1e300, 5e-324}));
  document.add("list", Document(std::vector<Document>{inner, inner}));
  return document;
}

/// An independent reader finds the same values in both encodings.
TEST(WriteDocument, IsStandardJsonAndUbjson) {
  for (const Json& read : {Json::parse(write_json(sample())), Json::parse_ubjson(write_ubjson(sample()))}) {
    EXPECT_EQ(read["yes"], true);
    EXPECT_EQ(read["no"], false);
    EXPECT_EQ(read["count"], 300);
    EXPECT_EQ(read["name"], "a \"b\" \\ \n \x01 \xC3\xA9");
    EXPECT_EQ(read["names"], Json::parse("[\"x\", \"\", \"" + std::string(300, 'y') + "\"]"));
    EXPECT_EQ(read["small"], Json::parse("[0, 255, 7]"));
    EXPECT_EQ(read["signed"], Json::parse("[-1, 127]"));
    EXPECT_EQ(read["short"], Json::parse("[-1, 300]"));
    EXPECT_EQ(read["int"], Json::parse("[70000, -70000]"));
    EXPECT_EQ(read["long"], Json::parse("[9007199254740992, 4294967297]"));
    EXPECT_EQ(read["double"], Json::parse("[0.1, 1e300, 5e-324]"));
    EXPECT_EQ(static_cast<float>(read["single"][0].number()), 0.1F);
    EXPECT_EQ(static_cast<float>(read["single"][1].number()), 1e-45F);
    EXPECT_EQ(static_cast<float>(read["single"][2].number()), 3.4028235e38F);
    EXPECT_EQ(read["list"].size(), 2U);
    EXPECT_TRUE(read["list"][1]["none"].is_null());
    EXPECT_EQ(read["list"][1]["empty"], Json::parse("[]"));
    EXPECT_EQ(read.size(), 13U);
  }
}

TEST(WriteDocument, JsonIsShortAndReadable) {
  Document document = with("a", Document(std::vector<float>{0.1F, 0.3F, 2.0F, 16777216.0F, -0.0F}));
  document.add("b", Document(std::vector<double>{0.1, 100000, -0.0}));
  EXPECT_EQ(write_json(document), "{\n \"a\": [0.1,0.3,2,16777216,-0.0],\n \"b\": [0.1,100000,-0.0]\n}\n");
}

TEST(WriteDocument, UbjsonUsesTheNarrowestTypeThatIsExact) {
  const auto array = [](std::vector<double> values) {
    const std::string bytes = write_ubjson(with("a", Document(std::move(values))));
    return bytes.substr(4, bytes.size() - 5);  // without {U\x01a and }
  };
  using std::string_literals::operator""s;
  EXPECT_EQ(array({1, 255}), "[$U#U\x02\x01\xFF"s);
  EXPECT_EQ(array({-1, 2}), "[$i#U\x02\xFF\x02"s);
  EXPECT_EQ(array({-2, 258}), "[$I#U\x02\xFF\xFE\x01\x02"s);
  EXPECT_EQ(array({65536}), "[$l#U\x01\x00\x01\x00\x00"s);
  EXPECT_EQ(array({0.5}), "[$d#U\x01\x3F\x00\x00\x00"s);
  EXPECT_EQ(array({-0.0}), "[$d#U\x01\x80\x00\x00\x00"s);
  EXPECT_EQ(array({0.1}).substr(0, 6), "[$D#U\x01"s);
  EXPECT_EQ(array({4294967297.0}), "[$L#U\x01\x00\x00\x00\x01\x00\x00\x00\x01"s);
  EXPECT_EQ(array({}), "[$U#U\x00"s);
}

/// The bits of every number come back from both encodings, for patterns from the whole range.
TEST(WriteDocument, NumbersReadBackToTheSameBits) {
  std::mt19937_64 random(1);
  std::vector<float> singles{0.0F, -0.0F, 1e-45F, -1e-45F, 1.17549435e-38F, 3.4028235e38F, 1.0F / 3.0F, 9.5367e-7F};
  std::vector<double> doubles{0.0, -0.0, 5e-324, -5e-324, 1.7976931348623157e308, 1.0 / 3.0, 123456789012345680000.0};
  while (singles.size() < 200'000) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    const auto number = std::bit_cast<double>(random());
    if (std::isfinite(single)) singles.push_back(single);
    if (std::isfinite(number)) doubles.push_back(number);
  }
  Document document = with("singles", Document(singles));
  document.add("doubles", Document(doubles));
  for (const std::string& bytes : {write_json(document), write_ubjson(document)}) {
    Document read;
    read_document(bytes, read);
    const std::vector<double>& singles_read = read.find("singles")->numbers;
    const std::vector<double>& doubles_read = read.find("doubles")->numbers;
    ASSERT_EQ(singles_read.size(), singles.size());
    ASSERT_EQ(doubles_read.size(), doubles.size());
    for (std::size_t i = 0; i < singles.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(singles_read[i])),
                std::bit_cast<std::uint32_t>(singles[i]));
    }
    for (std::size_t i = 0; i < doubles.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(doubles_read[i]), std::bit_cast<std::uint64_t>(doubles[i]));
    }
  }
}

Document typed_sample() {
  Document document = Document::object();
  document.add("text", "a\"b\\c\n")
      .add("number", -7)
      .add("real", 2.0)
      .add("floats", std::vector<float>{1, -0.5F, 1e-45F, 3.4028235e38F, 0.1F})
      .add("small", std::vector<std::int32_t>{-1, 2147483647})
      .add("large", Document({-1, 1099511627776.0}, Document::Type::int64))
      .add("bytes", std::vector<std::uint8_t>{0, 255})
      .add("names", std::vector<std::string>{"x", "y"})
      .add("items", std::vector<Document>{Document(1), Document("x"), Document::object()});
  return document;
}

TEST(WriteDocument, CompactJsonHasNoBlanksAndFloatsNeverLookLikeIntegers) {
  EXPECT_EQ(write_json(typed_sample(), DocumentStyle::compact),
            R"({"text":"a\"b\\c\u000a","number":-7,"real":2.0,"floats":[1.0,-0.5,1e-45,3.4028235e+38,0.1],)"
            R"("small":[-1,2147483647],"large":[-1,1099511627776],"bytes":[0,255],"names":["x","y"],)"
            R"("items":[1,"x",{}]})");
}

TEST(WriteDocument, TypedJsonHasTheLayoutOfModelFiles) {
  Document document = with("real", Document(2.0));
  document.add("integer", 2).add("none", std::nan("")).add("list", std::vector<double>{0.5, 1e6});
  EXPECT_EQ(write_json(document, DocumentStyle::typed),
            "{\n \"real\": 2.0,\n \"integer\": 2,\n \"none\": null,\n \"list\": [0.5,1000000.0]\n}\n");
}

TEST(WriteDocument, CompactUbjsonHasTheTypesGivenAnd64BitCounts) {
  const std::string bytes = write_ubjson(typed_sample(), DocumentStyle::compact);
  EXPECT_EQ(Json::parse_ubjson(bytes).in_single_precision(),
            Json::parse(write_json(typed_sample())).in_single_precision());
  for (const char* start : {"floats[$d#L", "small[$l#L", "large[$L#L", "bytes[$U#L", "names[#L", "items[#L", "numberL",
                            "realD", "textSL"}) {
    EXPECT_NE(bytes.find(start), std::string::npos) << start;
  }
}

TEST(JsonText, IsJsonAndSafeInsideAScript) {
  EXPECT_EQ(json_text("a\"\\<\n"), R"("a\"\\<\u000a")");
  EXPECT_EQ(json_text("a\"<\n&>", /*inside_html=*/true), R"("a\u0022\u003c\u000a\u0026\u003e")");
  EXPECT_EQ(json_text("caf\xC3\xA9 \xE9"), "\"caf\xC3\xA9 \xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace treecca
