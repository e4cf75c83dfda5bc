#include "support/text.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/utf8.hpp"

namespace treecca {
namespace {

TEST(InQuotes, ShortensAndEscapes) {
  EXPECT_EQ(in_quotes("abc"), "\"abc\"");
  EXPECT_EQ(in_quotes(""), "\"\"");
  EXPECT_EQ(in_quotes("a\nb\x7F\x1B"), "\"a\\x0ab\\x7f\\x1b\"");
  EXPECT_EQ(in_quotes("\xC3\xA9\xE9"), "\"\xC3\xA9\\xe9\"");
  EXPECT_EQ(in_quotes(std::string(40, 'x')), "\"" + std::string(40, 'x') + "\"");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "\"" + std::string(40, 'x') + "...\"");
  // A character is shown whole or not at all.
  EXPECT_EQ(in_quotes(std::string(39, 'x') + "\xC3\xA9"), "\"" + std::string(39, 'x') + "...\"");
  std::mt19937 random(2);
  for (int i = 0; i < 1000; ++i) {
    std::string bytes(random() % 60, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_TRUE(is_utf8(in_quotes(bytes)));
  }
}

TEST(Printable, ReplacesWhatATerminalCannotShow) {
  EXPECT_EQ(printable("abc \xC3\xA9"), "abc \xC3\xA9");
  EXPECT_EQ(printable("a\nb\x7F\x1B[0m"), "a?b??[0m");
  EXPECT_EQ(printable("\xE9\xFF"), "??");
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("caf\xC3\xA9 caf\xE9 \xF0\x9F"), "caf\xC3\xA9 caf? ??");
}

TEST(Shortened, KeepsBothEndsAndCountsCharactersNotBytes) {
  EXPECT_EQ(shortened("größe", 5), "größe");
  EXPECT_EQ(shortened("größer", 5), "gr..r");
  EXPECT_EQ(shortened("Phosphatidylcholine (16:0/18:1)", 24), "Phosphatidylcho..0/18:1)");
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abc", 2), "..");
  EXPECT_EQ(shortened("ähnlich", 4, "…"), "äh…h");
  EXPECT_EQ(shortened("a\nb\xFF", 4), "a?b?");
}

TEST(LowerCase, ChangesLettersOfAsciiOnly) {
  EXPECT_EQ(lower_case("Sample ID_7"), "sample id_7");
  EXPECT_EQ(lower_case("\u00c9A"), "\u00c9a");
  EXPECT_EQ(lower_case(""), "");
}

}  // namespace
}  // namespace treecca
