#include "read/cell.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace treecca {
namespace {

TEST(ParseCell, ReadsNumbers) {
  const auto number = [](const char* text) {
    const Cell cell = parse_cell(text);
    EXPECT_EQ(cell.kind, CellKind::number) << text;
    return static_cast<float>(cell.value);
  };
  EXPECT_EQ(number("0"), 0.0F);
  EXPECT_EQ(number("-1.5"), -1.5F);
  EXPECT_EQ(number("+1.5"), 1.5F);
  EXPECT_EQ(number("  2e3\t"), 2000.0F);
  EXPECT_EQ(number("1E-2"), 0.01F);
  EXPECT_EQ(number(".5"), 0.5F);
  EXPECT_EQ(number("5."), 5.0F);
  EXPECT_EQ(number("007"), 7.0F);
  EXPECT_EQ(number("1e-400"), 0.0F);
  EXPECT_EQ(number("3.4e38"), 3.4e38F);
  for (const char* text : {"3.4028235e38", "3.40282346638528859811704183484516925440e+38", "3.402823567797336e38"}) {
    EXPECT_EQ(number(text), FLT_MAX) << text;
    EXPECT_EQ(number((std::string("-") + text).c_str()), -FLT_MAX) << text;
  }
  EXPECT_EQ(number("1.401298464324817e-45"), std::nextafter(0.0F, 1.0F));
}

TEST(ParseCell, RoundsAsTheCLibraryDoes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random() >> 11) * (i % 2 == 0 ? 1 : -1), static_cast<int>(random() % 240) - 180);
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", 1 + i % 17, value);
    const double expected = std::strtod(text, nullptr);
    if (std::isinf(static_cast<float>(expected))) continue;
    const Cell cell = parse_cell(text);
    ASSERT_EQ(cell.kind, CellKind::number) << text;
    ASSERT_EQ(cell.value, expected) << text;
  }
}

TEST(ParseCell, KnowsTheWaysToWriteAMissingValue) {
  for (const char* text :
       {"",  " ", "\t",   "NA", "na",   "N/A", "n/a", "NaN",  "nan",     "-nan",    "NULL",  "null",  "None",  "none",
        "?", ".", " NA ", "ND", "n.d.", "-",   "--",  "#N/A", "#DIV/0!", "#VALUE!", "#NUM!", "#REF!", "#NAME?"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::missing) << text;
    EXPECT_TRUE(std::isnan(parse_cell(text).value)) << text;
  }
}

TEST(ParseCell, RefusesInfinityAndWhatIsBeyondSinglePrecision) {
  for (const char* text : {"inf", "-inf", "+inf", "Inf", "Infinity", "-INFINITY", "1e39", "-1e39", "1e400",
                           "3.4028235677973366e38", "3.4028236e38"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::infinite) << text;
  }
}

TEST(ParseCell, TakesTheRestForText) {
  for (const char* text :
       {"a",  "1x",    "x1",   "1 2",     "--1", "+-1", "+",     "1,5",       "0x10",       "1e",
        "e5", "1.2.3", "NAN1", "infinit", "..",  "??",  "1_000", "\u221212x", "1\u00a0234", "\u00e9"}) {
    EXPECT_EQ(parse_cell(text).kind, CellKind::text) << text;
    EXPECT_TRUE(std::isnan(parse_cell(text).value)) << text;
  }
}

/// As word processors and web pages write them.
TEST(ParseCell, SignsAndBlanksOfDocuments) {
  EXPECT_EQ(parse_cell("\u22121.5").value, -1.5);
  EXPECT_EQ(parse_cell("\u20112").value, -2);
  EXPECT_EQ(parse_cell("1e\u22123").value, 1e-3);
  EXPECT_EQ(parse_cell("\u00a01.5\u202f").value, 1.5);
  EXPECT_EQ(parse_cell("12\u202f345", {.thousands = ' '}).value, 12345);
  EXPECT_EQ(parse_cell("\u2212999", {.missing = {"-999"}}).kind, CellKind::missing);
  EXPECT_EQ(parse_cell("\u2212").kind, CellKind::missing);  // as -
}

TEST(LooksLikeADate, IsThreeNumbersWithMarksBetween) {
  for (const char* text : {"2020-01-31", "31/1/20", "31.12.2020", " 2020-01-31 10:00", "2020-01-31T10:00:00Z"}) {
    EXPECT_TRUE(looks_like_a_date(text)) << text;
  }
  for (const char* text : {"", "1.2.3", "2020", "2020-01", "a-b-c", "2020-01-31x", "12345-01-01", "1--2"}) {
    EXPECT_FALSE(looks_like_a_date(text)) << text;
  }
}

TEST(UnitOf, IsWhatFollowsANumber) {
  EXPECT_EQ(unit_of("53.4%"), "%");
  EXPECT_EQ(unit_of(" 5.1 mg/L "), "mg/L");
  EXPECT_EQ(unit_of("37\u00b0C"), "\u00b0C");
  for (const char* text : {"", "%", "mg", "1.5", "1,5", "1-2", "x1"}) EXPECT_EQ(unit_of(text), "") << text;
}

TEST(IsPlainInteger, IsDigitsOnly) {
  for (const char* text : {"0", "2010", " 7 ", "00"}) EXPECT_TRUE(is_plain_integer(text)) << text;
  for (const char* text : {"", " ", "-1", "+1", "1.0", "1e3", "x"}) EXPECT_FALSE(is_plain_integer(text)) << text;
}

TEST(ParseCell, OtherDecimalMarksAndThousands) {
  const auto value = [](const char* text, const NumberFormat& format) { return parse_cell(text, format).value; };
  const NumberFormat german{.decimal = ',', .thousands = '.'};
  EXPECT_EQ(value("1.234.567,5", german), 1234567.5);
  EXPECT_EQ(value("-0,25", german), -0.25);
  EXPECT_EQ(value("+1,5e3", german), 1500);
  EXPECT_EQ(value("12 345", {.thousands = ' '}), 12345);
  EXPECT_EQ(value("12'345.5", {.thousands = '\''}), 12345.5);
  for (const char* text : {"1.23", "1.2345", "1234.567", ".123", "1..234", "1,2,3", "1,5.000"}) {
    EXPECT_EQ(parse_cell(text, german).kind, CellKind::text) << text;
  }
  EXPECT_EQ(parse_cell("1,5").kind, CellKind::text);
  EXPECT_TRUE(has_decimal_comma("1,5"));
  EXPECT_TRUE(has_decimal_comma("58,297"));
  EXPECT_FALSE(has_decimal_comma("1,2,3"));
  EXPECT_TRUE(has_thousands_commas("58,297"));
  EXPECT_FALSE(has_thousands_commas("58,2"));
}

TEST(ParseCell, WhatElseMeansMissing) {
  const NumberFormat format{.missing = {"-999", "below"}};
  for (const char* text : {"-999", "-999.0", "-9.99e2", "Below"}) {
    EXPECT_EQ(parse_cell(text, format).kind, CellKind::missing) << text;
  }
  EXPECT_EQ(parse_cell("-99", format).kind, CellKind::number);
  EXPECT_EQ(parse_cell("TRUE").value, 1);
  EXPECT_EQ(parse_cell("false").value, 0);
}

}  // namespace
}  // namespace treecca
