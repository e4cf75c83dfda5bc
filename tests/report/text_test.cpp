#include "report/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace treecca {
namespace {

class ReportText : public ::testing::Test {
 protected:
  void use_locale(const char* name) { setenv("LC_ALL", name, 1); }
};

TEST_F(ReportText, LocaleOfTheEnvironment) {
  use_locale("de_DE.UTF-8");
  EXPECT_TRUE(locale_is_utf8());
  use_locale("C.utf8");
  EXPECT_TRUE(locale_is_utf8());
  use_locale("C");
  EXPECT_FALSE(locale_is_utf8());
}

TEST_F(ReportText, Percentages) {
  EXPECT_EQ(percent(0.1234), "12.3%");
  EXPECT_EQ(short_percent(0.1234), "12%");
  EXPECT_EQ(short_percent(0.0049), "<1%");
  EXPECT_EQ(short_percent(0.0051), "1%");
  EXPECT_EQ(short_percent(0), "0%");
  EXPECT_EQ(short_percent(1), "100%");
}

TEST_F(ReportText, WrappedKeepsAllWordsWithinTheWidth) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "word" + std::to_string(i) + " ";
  const std::string text = wrapped(words, 4);
  std::string joined;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    EXPECT_LE(line.size(), 100U);
    EXPECT_EQ(line.substr(0, 4), "    ");
    joined += line.substr(4) + " ";
  }
  EXPECT_EQ(joined, words);
  EXPECT_EQ(wrapped("", 2), "");
}

TEST_F(ReportText, Durations) {
  EXPECT_EQ(duration(0.04), "0.0 s");
  EXPECT_EQ(duration(59.4), "59 s");
  EXPECT_EQ(duration(200), "3 min 20 s");
  EXPECT_EQ(duration(7500), "2 h 5 min");
  EXPECT_EQ(duration(std::nan("")), "?");
}

TEST_F(ReportText, Bars) {
  use_locale("C");
  EXPECT_EQ(bar(0.5, 10), "#####");
  EXPECT_EQ(bar(7, 10), "##########");
  EXPECT_EQ(bar(std::nan(""), 10), "");
  use_locale("C.UTF-8");
  EXPECT_EQ(bar(0.5, 3), "█▌");
  EXPECT_EQ(bar(1, 3), "███");
}

TEST_F(ReportText, SparklineShowsTheLastValue) {
  use_locale("C.UTF-8");
  EXPECT_EQ(sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 80), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({0, 5, 0, 9}, 2), "▅█");
  EXPECT_EQ(sparkline({1, std::numeric_limits<double>::infinity(), 2}, 80), "▁ █");
  EXPECT_EQ(sparkline({3, 3}, 80), "▅▅");
  EXPECT_EQ(sparkline({}, 80), "");
  use_locale("C");
  EXPECT_EQ(sparkline({0, 7}, 80), "_#");
}

TEST_F(ReportText, TableIsAligned) {
  TextTable table({"name", "n"}, "lr");
  table.add_row({"grö", "1"});
  table.add_rule();
  table.add_row({"longer", "123"});
  EXPECT_EQ(table.to_string(1),
            " name       n\n"
            " grö        1\n"
            " ------------\n"
            " longer   123\n");
}

}  // namespace
}  // namespace treecca
