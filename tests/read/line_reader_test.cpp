#include "read/line_reader.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "helpers/temporary_file.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::vector<std::string> lines_of(std::string_view text, std::size_t max_line_bytes = LineReader::kMaxLineBytes) {
  const TemporaryFile file("a.txt", text);
  ByteSource source(file.path());
  LineReader reader(source, max_line_bytes);
  std::vector<std::string> lines;
  std::string_view line;
  while (reader.next(line)) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.line_number(), lines.size());
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, SplitsAtLineEndsOfBothKinds) {
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("a"), (Lines{"a"}));
  EXPECT_EQ(lines_of("a\n"), (Lines{"a"}));
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\r"), (Lines{"a"}));
  EXPECT_EQ(lines_of("\n\na\n\n"), (Lines{"", "", "a", ""}));
}

TEST(LineReader, SplitsAtReturnsWhereThereAreNoOtherLineEnds) {
  EXPECT_EQ(lines_of("a\rb"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "a,b\r1,2\r"),
            (Lines{"a,b", "1,2"}));
  EXPECT_EQ(lines_of("a\rb\nc\n"), (Lines{"a\rb", "c"}));
  std::string text;
  Lines expected;
  for (int i = 0; i < 200'000; ++i) {
    expected.push_back(std::to_string(i));
    text += expected.back() + "\r";
  }
  EXPECT_TRUE(lines_of(text) == expected);
}

TEST(LineReader, SkipsTheByteOrderMarkOnlyAtTheStart) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBFx\n\xEF\xBB\xBFy\n"), (Lines{"x", "\xEF\xBB\xBFy"}));
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"), Lines{});
}

TEST(LineReader, GivesLongLinesAndManyLinesUnchanged) {
  std::mt19937 random(1);
  Lines expected;
  std::string text;
  for (const std::size_t size : {0, 1, 3'000'000, 10, 1'048'576, 1'048'575, 7'000'001, 5}) {
    std::string line(size, 'x');
    for (std::size_t i = 0; i < size; i += 97) line[i] = static_cast<char>('a' + random() % 26);
    expected.push_back(line);
    text += line + (size % 2 == 0 ? "\n" : "\r\n");
  }
  for (int i = 0; i < 200'000; ++i) {
    expected.push_back(std::to_string(random()));
    text += expected.back() + "\n";
  }
  EXPECT_TRUE(lines_of(text) == expected);
}

TEST(LineReader, RefusesLinesBeyondTheLimit) {
  EXPECT_EQ(lines_of("a\n12345\n", 5), (Lines{"a", "12345"}));
  expect_error<DataError>([] { lines_of("a\n123456\n", 5); }, {"a.txt, line 2", "longer than 5 bytes"});
  expect_error<DataError>([] { lines_of(std::string(3'000'000, 'x'), 2'000'000); }, {"line 1"});
}

TEST(LineReader, RefusesBinaryData) {
  using namespace std::string_view_literals;
  expect_error<DataError>([] { lines_of("a,b\n1,\0\n"sv); }, {"a.txt is not text"});
  expect_error<DataError>(
      [] {
        lines_of(
            "\xFF\xFE"
            "a\0b\0"sv);
      },
      {"not text", "UTF-16"});
}

}  // namespace
}  // namespace treecca
