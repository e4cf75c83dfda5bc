#include "report/html.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/utf8.hpp"

namespace treecca::report {
namespace {

TEST(Html, NumbersAndTexts) {
  EXPECT_EQ(number(0.5), "0.5");
  EXPECT_EQ(number(-0.0001), "0");
  EXPECT_EQ(number(NAN), "–");
  EXPECT_EQ(fixed(0.5), "0.500");
  EXPECT_EQ(count(1234567), "1,234,567");
  EXPECT_EQ(count(123), "123");
}

TEST(Html, LongNamesAreCutInTheMiddle) {
  EXPECT_EQ(cut_middle("abcdefghij", 6), "abcd…ij");
  EXPECT_EQ(cut_middle("abcdefg", 6), "abcdefg");
  EXPECT_EQ(cut_middle("äöüßéèêëå", 3), "äö…å");
  EXPECT_EQ(cut_middle("", 3), "");
}

// Of random names: short ones stay; long ones keep their beginning and end, whole characters, in the given width.
TEST(Html, CutNamesKeepBothEnds) {
  const std::vector<std::string> letters{"a", "Z", "9", "_", "ä", "漢", "🌲"};
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::string> characters(random() % 60);
    std::string name;
    for (std::string& character : characters) name += character = letters[random() % letters.size()];
    const std::size_t most = 1 + random() % 40;
    const std::string cut = cut_middle(name, most);
    ASSERT_TRUE(is_utf8(cut)) << name;
    if (characters.size() <= most + 1) {
      EXPECT_EQ(cut, name);
      continue;
    }
    EXPECT_EQ(utf8_characters(cut), most + 1) << name;  // and the ellipsis
    const std::size_t at = cut.find("…");
    ASSERT_NE(at, std::string::npos);
    const std::string begin = cut.substr(0, at), end = cut.substr(at + std::string("…").size());
    EXPECT_TRUE(name.starts_with(begin));
    EXPECT_TRUE(name.ends_with(end));
    EXPECT_GE(utf8_characters(begin), utf8_characters(end));
    EXPECT_EQ(end.empty(), most < 3);
  }
}

TEST(Html, TablesHaveStylesAndNumbers) {
  const std::string html = table({"a", "b"}, {{{"x", "1"}}, {{"y", "2"}, "below"}});
  EXPECT_NE(html.find("<th scope=\"col\">a</th><th scope=\"col\" class=\"number\">b</th>"), std::string::npos);
  EXPECT_NE(html.find("<tr><td>x</td><td class=\"number\">1</td></tr>"), std::string::npos);
  EXPECT_NE(html.find("<tr class=\"below\"><td>y</td>"), std::string::npos);
}

}  // namespace
}  // namespace treecca::report
