// Charts of features, as inline SVG: correlation circle, loadings, heatmap, network, SHAP values.
//
// As svg.hpp says; every mark has a title with the full name. Names are cut in the middle, because features often
// differ at their ends.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "treecca/partners.hpp"

namespace treecca::report {

/// A feature with its loadings on two components, -1 to 1. view: by number, for the colour.
struct CirclePoint {
  std::string label;
  std::size_t view = 0;
  double x = 0, y = 0;
  bool named = false;  // with a label next to it
};
std::string correlation_circle(const std::string& title, const std::vector<std::string>& views,
                               const std::vector<CirclePoint>& points, const std::string& x_label,
                               const std::string& y_label);

struct LoadingBar {
  std::string label;
  double loading = 0, low = 0, high = 0;  // with its interval
  bool has_cross = false;
  double cross = 0;
};
/// Bars from 0 to the loading, a line for the interval, a mark for the cross-loading. `width` in units of the view box.
std::string loadings_chart(const std::string& title, const std::vector<LoadingBar>& bars, double width = 350);

/// Rows and columns with their names. The strength of an association is the opacity of its cell, its sign the colour.
std::string heatmap(const std::string& title, const std::vector<std::string>& rows,
                    const std::vector<std::string>& columns, const Associations& cells);

struct NetworkNode {
  std::string label;
  std::size_t view = 0;
};
struct NetworkEdge {
  std::size_t from = 0, to = 0;  // nodes
  double strength = 0, correlation = 0;
};
/// Draws nodes on a circle in the order given, with a gap between views.
std::string network(const std::string& title, const std::vector<std::string>& views,
                    const std::vector<NetworkNode>& nodes, const std::vector<NetworkEdge>& edges);

/// One point per sample: SHAP value, and the place of the feature's value among the samples, 0 (lowest) to 1; below 0:
/// missing.
struct ShapStrip {
  std::string label;
  double mean_abs = 0;
  std::vector<std::pair<double, double>> points;
};
std::string shap_chart(const std::string& title, const std::vector<ShapStrip>& strips);

/// Explains the colours of heatmap and network.
std::string association_legend();

}  // namespace treecca::report
