#include "report/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace treecca::report {
namespace {

TEST(ChartTicks, AreRoundAndInside) {
  EXPECT_EQ(ticks(0, 1), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks(3, 3), (std::vector<double>{3}));
  EXPECT_EQ(ticks(0, std::numeric_limits<double>::infinity()), (std::vector<double>{0}));
}

// Of any range: two or more ticks, evenly spaced, inside it, with different labels that are the ticks' values.
TEST(ChartTicks, OfRandomRanges) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-9, 9), unit(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double size = std::pow(10.0, exponent(random));
    const double low = unit(random) * size * 5, high = low + size;
    for (const int wanted : {3, 4, 5, 7}) {
      const std::vector<double> found = ticks(low, high, wanted);
      ASSERT_GE(found.size(), 1U) << low << " " << high;
      ASSERT_LE(found.size(), 9U) << low << " " << high;
      if (wanted >= 5) {
        ASSERT_GE(found.size(), 2U) << low << " " << high;
      }
      const std::vector<std::string> labels = tick_labels(found);
      ASSERT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), found.size()) << low << " " << high;
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_GE(found[i], low - 1e-6 * size);
        EXPECT_LE(found[i], high + 1e-6 * size);
        EXPECT_TRUE(found.size() == 1 || std::abs(std::stod(labels[i]) - found[i]) < 0.01 * size) << labels[i];
        EXPECT_FALSE(labels[i].starts_with("-0.0") && std::stod(labels[i]) == 0) << labels[i];
        EXPECT_NE(labels[i], "-0");
        EXPECT_LE(labels[i].size(), 12U);
      }
    }
  }
}

TEST(ChartTicks, LabelsHaveTheSameDecimals) {
  EXPECT_EQ(tick_labels({-0.1, -0.05, 0, 0.05}), (std::vector<std::string>{"-0.10", "-0.05", "0.00", "0.05"}));
  EXPECT_EQ(tick_labels({0, 100, 200}), (std::vector<std::string>{"0", "100", "200"}));
  EXPECT_EQ(tick_labels({0, 1e8, 2e8}), (std::vector<std::string>{"0", "1.0e+08", "2.0e+08"}));
  EXPECT_EQ(tick_labels({-0.0}), (std::vector<std::string>{"0"}));
  EXPECT_TRUE(tick_labels({}).empty());
}

TEST(ChartScale, WidensAnEmptyRange) {
  for (const double value : {0.0, 3.0, -1e12}) {
    const Scale scale = scale_over(value, value, 10, 20);
    EXPECT_LT(scale.low, scale.high);
    EXPECT_NEAR(scale(value), 15, 1e-6);
  }
  EXPECT_EQ(scale_over(0, 4, 100, 0)(1), 75);
}

TEST(ChartLabels, WideLettersHaveMoreRoom) {
  EXPECT_GT(room_for({"MMM"}, 20), room_for({"aaa"}, 20));
  EXPECT_LT(room_for({"ill"}, 20), room_for({"aaa"}, 20));
  EXPECT_GT(room_for({"漢漢漢"}, 20), room_for({"äöü"}, 20));
  EXPECT_EQ(room_for({"a", "bbbb", "cc"}, 20), room_for({"bbbb"}, 20));
  EXPECT_EQ(room_for({std::string(50, 'a')}, 10), room_for({std::string(50, 'a'), "b"}, 10));
}

TEST(ChartAxes, HaveNumbersAndNames) {
  const Frame frame{200, 100};
  const std::string svg = axes(frame, frame.x(0, 10), "a <b>", frame.y(-1, 1), "up");
  for (const char* text : {">0</text>", ">10</text>", ">-1.0</text>", ">a &lt;b&gt;</text>", ">up</text>"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace treecca::report
