#include "report/feature_charts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/cluster_order.hpp"
#include "report/svg.hpp"

namespace treecca::report {
namespace {

constexpr const char* kHostile = "</svg><script>alert('x')</script>&\"<b>";

std::size_t times(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

void expect_escaped(const std::string& svg) {
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_EQ(times(svg, "</svg>"), 1U);
  EXPECT_NE(svg.find("&lt;"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(FeatureCharts, CirclePutsFeaturesAtTheirLoadings) {
  const std::string svg =
      correlation_circle(kHostile, {kHostile, "b"}, {{kHostile, 0, 1, 0, true}, {"y", 1, 0, -0.5, false}}, "x", "y");
  expect_escaped(svg);
  EXPECT_NE(svg.find("class=\"dot v0\" cx=\"420.0\" cy=\"165.0\""), std::string::npos);  // centre 270, 165; radius 150
  EXPECT_NE(svg.find("class=\"dot v1\" cx=\"270.0\" cy=\"240.0\""), std::string::npos);
  EXPECT_NE(svg.find("<title>y: +0.00, -0.50</title>"), std::string::npos);
}

TEST(FeatureCharts, NamesOfNeighboursDoNotLieOnEachOther) {
  std::vector<CirclePoint> points;
  for (int i = 0; i < 10; ++i) points.push_back({"name" + std::to_string(i), 0, 0.9, 0.001 * i, true});
  const std::string svg = correlation_circle("", {"a"}, points, "", "");
  EXPECT_EQ(times(svg, ">name"), 10U + 3U);  // all have a title; three heights are free
}

TEST(FeatureCharts, LoadingsReachFromZeroAndHaveIntervals) {
  const std::string svg =
      loadings_chart("t", {{kHostile, -0.5, -0.6, -0.4, true, 0.25}, {"z", 0.5, 0.5, 0.5, false, 0}});
  expect_escaped(svg);
  EXPECT_NE(svg.find("-0.50 (-0.60 to -0.40), cross-loading +0.25"), std::string::npos);
  EXPECT_EQ(times(svg, "class=\"cross\""), 1U);
  const double half = (350 - 14 - room_for({kHostile, "z"}, 20)) / 4;  // of the way from 0 to 1, right of the names
  EXPECT_EQ(times(svg, fmt::format("width=\"{:.1f}\"", half)), 2U);
}

TEST(FeatureCharts, HeatmapFillsCellsByStrengthAndSign) {
  Associations cells{Matrix<double>(2, 2), Matrix<double>(2, 2)};
  cells.strength.values() = {0.8, 0.5, 0.4, 0};
  cells.correlation.values() = {0.8, -0.5, 0.1, 0};
  const std::string svg = heatmap("t", {kHostile, "b"}, {"c", "d"}, cells);
  expect_escaped(svg);
  EXPECT_EQ(times(svg, "class=\"cell "), 4U);
  const double left = room_for({kHostile, "b"}, 20) + 8;  // of the first column; the widest cells have 90
  EXPECT_NE(svg.find(fmt::format("cell positive\" x=\"{:.0f}\" y=\"0\" width=\"89\" height=\"21\" "
                                 "fill-opacity=\"0.80\"",
                                 left)),
            std::string::npos);
  EXPECT_NE(svg.find(fmt::format("cell negative\" x=\"{:.0f}\" y=\"0\"", left + 90)), std::string::npos);
  EXPECT_NE(svg.find(fmt::format("cell nonlinear\" x=\"{:.0f}\" y=\"22\"", left)), std::string::npos);
  EXPECT_NE(svg.find("b and c: strength 0.40, linear +0.10"), std::string::npos);
}

TEST(FeatureCharts, NetworkDrawsEveryNodeAndEdge) {
  const std::string svg =
      network("t", {"v", kHostile}, {{kHostile, 0}, {"b", 0}, {"c", 1}}, {{0, 2, 0.9, -0.9}, {1, 2, 0.3, 0.05}});
  expect_escaped(svg);
  EXPECT_EQ(times(svg, "class=\"dot v0\""), 2U);
  EXPECT_EQ(times(svg, "class=\"dot v1\""), 1U);
  EXPECT_EQ(times(svg, "class=\"link negative\""), 1U);
  EXPECT_EQ(times(svg, "class=\"link nonlinear\""), 1U);
}

TEST(FeatureCharts, ShapValuesAreShadedByTheValueOfTheFeature) {
  const std::string svg = shap_chart("t", {{kHostile, 0.5, {{-1, 0}, {1, 0.99}, {0.5, -1}}}, {"z", 0, {}}});
  expect_escaped(svg);
  EXPECT_EQ(times(svg, "class=\"shap s0\""), 1U);
  EXPECT_EQ(times(svg, "class=\"shap s4\""), 1U);
  EXPECT_EQ(times(svg, "class=\"shap s5\""), 1U);         // missing
  const double left = room_for({kHostile, "z"}, 20) + 6;  // of the lowest value
  EXPECT_NE(svg.find(fmt::format("d=\"M{:.0f} ", left)), std::string::npos);
  EXPECT_NE(svg.find("d=\"M296 "), std::string::npos);
  EXPECT_FALSE(shap_chart("t", {}).empty());
}

TEST(ClusterOrder, SimilarRowsAreNeighbours) {
  Matrix<double> rows(5, 2);
  rows.values() = {0, 0, 10, 10, 0.1, 0, 10, 10.1, 0, 0.3};
  EXPECT_EQ(cluster_order(rows), (std::vector<Index>{0, 2, 4, 1, 3}));
  EXPECT_TRUE(cluster_order(Matrix<double>()).empty());
  EXPECT_EQ(cluster_order(Matrix<double>(1, 3)), std::vector<Index>{0});
}

}  // namespace
}  // namespace treecca::report
