#include "read/csv_reader.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, const std::string& name = "a.csv", std::vector<std::size_t>* lines = nullptr) {
  const TemporaryFile file(name, text);
  ByteSource source(file.path());
  CsvReader reader(source);
  Rows rows;
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    rows.emplace_back(cells.begin(), cells.end());
    if (lines != nullptr) lines->push_back(reader.line());
  }
  return rows;
}

TEST(CsvReader, SplitsPlainRecords) {
  EXPECT_EQ(rows_of("a,b,c\n1,,3\n,,\n"), (Rows{{"a", "b", "c"}, {"1", "", "3"}, {"", "", ""}}));
  EXPECT_EQ(rows_of("a\tb\r\n1\t \r\n\t\r\n", "a.txt"), (Rows{{"a", "b"}, {"1", " "}, {"", ""}}));
  EXPECT_EQ(rows_of("a;b\n1;2"), (Rows{{"a", "b"}, {"1", "2"}}));
}

TEST(CsvReader, SeveralBlanksAreOneDelimiter) {
  EXPECT_EQ(rows_of("a  b c\n 1   2  3 \n4 5 6\n"), (Rows{{"a", "b", "c"}, {"1", "2", "3"}, {"4", "5", "6"}}));
  // As R writes a data frame.
  EXPECT_EQ(rows_of("\"x y\" \"z\"\n\"1\" 0.5 -2\n\"2\"  1 3\n"),
            (Rows{{"x y", "z"}, {"1", "0.5", "-2"}, {"2", "1", "3"}}));
}

TEST(CsvReader, UnderstandsQuotes) {
  EXPECT_EQ(rows_of("\"a,b\",\"c\"\"d\",\"\"\n"), (Rows{{"a,b", "c\"d", ""}}));
  EXPECT_EQ(rows_of("x,\"a\r\nb\n\",y\n1,2,3\n"), (Rows{{"x", "a\nb\n", "y"}, {"1", "2", "3"}}));
  EXPECT_EQ(rows_of(" \"a\" , \"b\"\t,c\n"), (Rows{{"a", "b", "c"}}));
  EXPECT_EQ(rows_of("\"\"\"\",\"\"\"x\"\"\"\n"), (Rows{{"\"", "\"x\""}}));
  EXPECT_EQ(rows_of("5\" pipe,b\n"), (Rows{{"5\" pipe", "b"}}));
  EXPECT_EQ(rows_of("\"a\"\t\"b\"\n\"1\"\t\n"), (Rows{{"a", "b"}, {"1", ""}}));
}

TEST(CsvReader, CountsLinesNotRecords) {
  std::vector<std::size_t> lines;
  rows_of("h,i\n\"a\n\nb\",1\nc,2\n", "a.csv", &lines);
  EXPECT_EQ(lines, (std::vector<std::size_t>{1, 2, 5}));
}

TEST(CsvReader, IgnoresBlankLinesOnlyAtTheEnd) {
  EXPECT_EQ(rows_of("a,b\n1,2\n\n \n\t\n"), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(rows_of("\n\r\n  \n"), Rows{});
  EXPECT_EQ(rows_of("a\tb\n1\t2\n\t\n"), (Rows{{"a", "b"}, {"1", "2"}, {"", ""}}));
  EXPECT_EQ(rows_of("a\n\"\"\n1\n"), (Rows{{"a"}, {""}, {"1"}}));
  expect_error<DataError>([] { rows_of("a,b\n1,2\n\n\n3,4\n"); }, {"a.csv, line 3", "blank"});
}

TEST(CsvReader, RefusesBrokenQuotes) {
  expect_error<DataError>([] { rows_of("a,b\n1,\"2\n3,4\n"); }, {"a.csv, line 2", "no closing quote"});
  expect_error<DataError>([] { rows_of("a,b\n\"1\"x,2\n"); }, {"a.csv, line 2", "follows a closing quote"});
  expect_error<DataError>([] { rows_of("\"a\" \"b\"\n1 2\n"); },
                          {"a.csv, line 1", "commas, tabs, semicolons, | or blanks"});
  std::string long_text = "a,b\n1,\"";
  for (int i = 0; i < 200'000; ++i) long_text += "1234,567\n";
  expect_error<DataError>([&] { rows_of(long_text); }, {"line 2", "closing quote"});
}

TEST(CsvReader, RefusesAnAbsurdNumberOfCells) {
  expect_error<DataError>([] { rows_of(std::string(10'000'001, ',')); }, {"line 1", "more than 10000000 cells"});
}

TEST(CsvReader, GivesBackWhatAnyWriterWrote) {
  std::mt19937 random(1);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int trial = 0; trial < 300; ++trial) {
    const char delimiter = ",\t;"[trial % 3];
    const char* const line_end = below(2) == 0 ? "\n" : "\r\n";
    const std::size_t width = 2 + below(5);
    Rows expected;
    std::string text;
    for (unsigned i = 0, n = 1 + below(8); i < n; ++i) {
      std::vector<std::string> row(width);
      for (std::size_t j = 0; j < width; ++j) {
        for (unsigned length = below(6); length > 0; --length) row[j] += "ab1 \"\n,;\t"[below(9)];
        // The first cells tell the delimiter and keep the row from looking blank.
        if (i == 0 || j == 0) row[j] = "h";
        const bool needs_quotes = row[j].find_first_of(" \"\n,;\t") != std::string::npos;
        if (j > 0) text += delimiter;
        if (needs_quotes || below(3) == 0) {
          text += '"';
          for (const char c : row[j]) text += c == '"' ? "\"\"" : std::string(1, c);
          text += '"';
        } else {
          text += row[j];
        }
      }
      text += line_end;
      expected.push_back(row);
    }
    EXPECT_EQ(rows_of(text), expected) << text;
  }
}

TEST(RecogniseDelimiter, TakesTheOneThatCutsLinesAlike) {
  EXPECT_EQ(recognise_delimiter("a,b,c\n1,2,3\n", "x.csv"), ',');
  EXPECT_EQ(recognise_delimiter("a\tb\tc\n", "x.csv"), '\t');
  EXPECT_EQ(recognise_delimiter("a;b;c\n1,5;2,5;3,5\n", "x.csv"), ';');
  EXPECT_EQ(recognise_delimiter("P1;P2;P3;P4,P5;P6\n1.0,2.0\n", "x.csv"), ',');
  EXPECT_EQ(recognise_delimiter("P1;P2;P3\tP4;P5\n1.0\t2.0\n", "x.txt"), '\t');
  EXPECT_EQ(recognise_delimiter("\"a;b;c\",d\n\"1;2\",3\n", "x.csv"), ',');
  EXPECT_EQ(recognise_delimiter("x\ns1;1.5\n", "x.csv"), ';');
  EXPECT_EQ(recognise_delimiter("a|b\n1|2\n", "x.txt"), '|');
  EXPECT_EQ(recognise_delimiter("x\n1\n", "x.csv"), ',');
  EXPECT_EQ(recognise_delimiter("", "x.csv"), ',');
}

TEST(RecogniseDelimiter, TakesBlanksIfThereIsNoOther) {
  EXPECT_EQ(recognise_delimiter("id x y\ns1  1.5 2\n", "x.txt"), ' ');
  EXPECT_EQ(recognise_delimiter("x y\ns1 1.5 NA\n", "x.txt"), ' ');
  EXPECT_EQ(recognise_delimiter("id x y\ns1,1.5 2,3\n", "x.txt"), ',');
  // One column of texts.
  EXPECT_EQ(recognise_delimiter("site\nBerlin 1\n", "x.txt"), ',');
  EXPECT_EQ(recognise_delimiter("the name\nAnna Maria Berg\n", "x.txt"), ',');
  EXPECT_EQ(recognise_delimiter("a long name of one column\n0.5\n", "x.txt"), ',');
}

TEST(RecogniseDelimiter, PrefersTheTabWhereTheNameSaysSo) {
  const char* const text = "a,b,c\td,e\n1,2,3\t4,5\n";
  EXPECT_EQ(recognise_delimiter(text, "x.csv"), ',');
  for (const char* name : {"x.tsv", "x.tab", "x.tsv.gz"}) EXPECT_EQ(recognise_delimiter(text, name), '\t');
  EXPECT_EQ(recognise_delimiter("a,b\n1,2\n", "x.tsv"), ',');
}

}  // namespace
}  // namespace treecca
