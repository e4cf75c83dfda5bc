#include "report/chart.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace treecca::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(TrainingChart, CountsRoundsNotMeasurements) {
  const std::string svg =
      training_chart("t", {{"out-of-fold", "out-of-fold", {10, 20, 250}, {0.5, 1, 1.5}}}, "linear", 1.2, 200);
  EXPECT_NE(svg.find(">250</text>"), std::string::npos);  // the axis reaches the last round
  EXPECT_NE(svg.find("470.0,"), std::string::npos);       // and so does the curve: width 480, margin 10
  EXPECT_NE(svg.find(">kept: 200</text>"), std::string::npos);
  EXPECT_NE(svg.find(">round</text>"), std::string::npos);
  EXPECT_NE(svg.find(">total correlation (TCC)</text>"), std::string::npos);
  EXPECT_EQ(training_chart("t", {}, "linear", kNone, 0).find("dash"), std::string::npos);
}

TEST(CorrelationChart, DrawsIntervalNoiseAndThinMarks) {
  const CorrelationRow above{"cc1", 0.8, {0.7, 0.9}, 0.3, 0.95, 0.4, true};
  const CorrelationRow below{"cc2", -0.1, {-0.3, 0.1}, 0.3, 0.6, -0.05, false};
  const std::string svg = correlation_chart("t", {above, below});
  EXPECT_EQ(occurrences(svg, "class=\"bar out-of-fold\""), 1U);
  EXPECT_EQ(occurrences(svg, "class=\"bar out-of-fold hollow\""), 1U);
  for (const char* mark :
       {"class=\"whisker\"", "class=\"noise\"", "class=\"in-sample-mark\"", "class=\"bar linear\""}) {
    EXPECT_EQ(occurrences(svg, mark), 2U) << mark;
  }
  EXPECT_EQ(occurrences(svg, ">below noise</text>"), 1U);
  EXPECT_NE(svg.find(">0.80</text>"), std::string::npos);
  EXPECT_NE(svg.find("cc2: out-of-fold -0.100 (95% interval -0.300 to 0.100), noise threshold 0.300, below noise; "
                     "in-sample 0.600, linear -0.050"),
            std::string::npos);
  EXPECT_NE(svg.find(">-0.2</text>"), std::string::npos);  // the axis begins below 0
}

TEST(CorrelationChart, OfAFitWithoutFolds) {
  const std::string svg = correlation_chart("t", {{"cc1", kNone, {kNone, kNone}, kNone, 0.9, 0.8, true}});
  EXPECT_EQ(occurrences(svg, "class=\"bar in-sample\""), 1U);
  EXPECT_EQ(svg.find("noise"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(ImportanceBars, AreLabelledInPercent) {
  const std::string svg = importance_bars("t", {{"first", 0.512, " (+0.90)"}, {"second", 0.002}});
  EXPECT_NE(svg.find(">51% (+0.90)</text>"), std::string::npos);
  EXPECT_NE(svg.find(">&lt;1%</text>"), std::string::npos);
  EXPECT_NE(svg.find("<title>first: 51.2%</title>"), std::string::npos);
}

TEST(StepChart, ShowsWhereTheDataLie) {
  const std::string svg =
      step_chart("t", {"dose", "variate", {0, 10}, {-1, 5, 11}, {-1, 0, 1}, 0, -1, 1, {-50, 0, 5, 10, 1e9}}, 350);
  EXPECT_EQ(occurrences(svg, "v-7"), 3U);  // values outside the drawn range are left out
  EXPECT_NE(svg.find(">dose</text>"), std::string::npos);
  EXPECT_NE(svg.find(">variate</text>"), std::string::npos);
  const std::string single = step_chart("t", {"x", "y", {5}, {4, 6}, {0, 0}, 0, 0, 0}, 350);
  EXPECT_EQ(single.find("nan"), std::string::npos);
  EXPECT_EQ(single.find("inf"), std::string::npos);
}

TEST(StepChart, ALinearEffectIsAStraightLine) {
  const StepCurve line{"x", "y", {1, 2, 3}, {0.5, 1.5, 2.5, 3.5}, {1, 3, 5, 7}, 2};
  const auto ends = step_ends(line);
  ASSERT_EQ(ends.size(), 8U);
  for (const auto& [x, y] : ends) EXPECT_NEAR(y, 2 * x, 1e-12);
  StepCurve steps = line;
  steps.slope = 0;
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(step_ends(steps)[i].second, steps.values[i / 2]);
}

TEST(ScatterChart, ColoursByClass) {
  const std::string svg = scatter_chart("t", "x", "y", {{0, 0, 0}, {1, 1, 1}, {2, 2, 9}});
  EXPECT_EQ(occurrences(svg, "class=\"points c0\""), 1U);
  EXPECT_EQ(occurrences(svg, "class=\"points c1\""), 2U);  // colours repeat after eight
  EXPECT_EQ(scatter_chart("t", "x", "y", {}).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace treecca::report
