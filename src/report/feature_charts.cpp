#include "report/feature_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "report/html.hpp"
#include "report/svg.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kNameWidth = 20;
constexpr std::size_t kCircleName = 15;
constexpr std::size_t kViewColours = 8;

std::string view_class(std::size_t view) { return fmt::format("v{}", view % kViewColours); }

std::string view_legend(const std::vector<std::string>& views) {
  std::string html = "<ul class=\"legend\">";
  for (std::size_t v = 0; v < views.size(); ++v) {
    html += fmt::format("<li><span class=\"key {}\"></span>{}</li>", view_class(v), escaped(cut_middle(views[v], 40)));
  }
  return html + "</ul>\n";
}

/// The CSS class: the sign of the linear part, or "nonlinear" if it is less than half.
const char* association_class(double strength, double correlation) {
  if (std::abs(correlation) < 0.5 * strength) return "nonlinear";
  return correlation < 0 ? "negative" : "positive";
}

std::string association_words(const std::string& a, const std::string& b, double strength, double correlation) {
  return escaped(fmt::format("{} and {}: strength {:.2f}, linear {:+.2f}", a, b, strength, correlation));
}

}  // namespace

std::string association_legend() {
  return "<ul class=\"legend\"><li><span class=\"key positive\"></span>positive</li><li><span class=\"key "
         "negative\"></span>negative</li><li><span class=\"key nonlinear\"></span>mostly nonlinear</li></ul>\n";
}

std::string correlation_circle(const std::string& title, const std::vector<std::string>& views,
                               const std::vector<CirclePoint>& points, const std::string& x_label,
                               const std::string& y_label) {
  constexpr double kWidth = 540, kHeight = 370, kCentre = 270, kMiddle = 165, kRadius = 150;
  std::string svg = view_legend(views) + svg_opening(title, kWidth, kHeight, "wide circle");
  for (const double r : {1.0, 0.5}) {
    svg += fmt::format("<circle class=\"ring\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", kCentre, kMiddle, kRadius * r);
    svg += svg_text(kCentre + 3, kMiddle - kRadius * r - 3, "start", number(r, 1)) + "\n";
  }
  svg += fmt::format("<path class=\"grid\" d=\"M{} {}H{}M{} {}V{}\"/>\n", kCentre - kRadius, kMiddle, kCentre + kRadius,
                     kCentre, kMiddle - kRadius, kMiddle + kRadius);
  svg += svg_text(kCentre, kHeight - 24, "middle", x_label, "name");
  svg += rotated_text(10, kMiddle, -90, "middle", y_label);
  std::vector<double> taken_left, taken_right;  // heights of labels, so that they keep apart
  for (const CirclePoint& point : points) {
    const double x = kCentre + kRadius * point.x, y = kMiddle - kRadius * point.y;
    svg += fmt::format(
        "<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}: {:+.2f}, "
        "{:+.2f}</title></circle>",
        view_class(point.view), x, y, escaped(point.label), point.x, point.y);
    if (!point.named) continue;
    std::vector<double>& taken = point.x < 0 ? taken_left : taken_right;
    for (const double height : {y, y - 13, y + 13}) {
      const auto near = [&](double other) { return std::abs(other - height) < 12.5; };
      if (std::any_of(taken.begin(), taken.end(), near)) continue;
      taken.push_back(height);
      const bool left = point.x < 0;
      svg += svg_text(x + (left ? -6 : 6), height + 4, left ? "end" : "start", cut_middle(point.label, kCircleName));
      break;
    }
  }
  return svg + "\n</svg>\n";
}

std::string loadings_chart(const std::string& title, const std::vector<LoadingBar>& bars, double width) {
  constexpr double kRow = 20;
  const double end = width - 14;
  std::vector<std::string> names;
  for (const LoadingBar& bar : bars) names.push_back(bar.label);
  const double labels = room_for(names, kNameWidth);
  const double height = kRow * static_cast<double>(bars.size()) + 36;
  const auto place = [&](double r) { return labels + (r + 1) / 2 * (end - labels); };
  std::string svg = svg_opening(title, width, height);
  for (const double tick : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} 0V{:.1f}\"/>", place(tick), height - 34);
    svg += svg_text(place(tick), height - 21, "middle", number(tick, 1));
  }
  svg += svg_text(place(0), height - 5, "middle", "correlation with the variate", "name");
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const LoadingBar& bar = bars[b];
    const double top = kRow * static_cast<double>(b);
    const double from = std::min(place(0), place(bar.loading));
    svg +=
        fmt::format("\n<g><title>{}: {:+.2f} ({:+.2f} to {:+.2f})", escaped(bar.label), bar.loading, bar.low, bar.high);
    if (bar.has_cross) svg += fmt::format(", cross-loading {:+.2f}", bar.cross);
    svg += "</title>" + svg_text(labels - 6, top + 14, "end", cut_middle(bar.label, kNameWidth));
    svg += fmt::format("<rect class=\"bar out-of-fold\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>",
                       from, top + 4, std::abs(place(bar.loading) - place(0)), kRow - 9);
    svg += fmt::format("<path class=\"whisker\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", place(bar.low), top + 9.5,
                       place(bar.high));
    if (bar.has_cross) {
      svg += fmt::format("<path class=\"cross\" d=\"M{:.1f} {:.1f}v{}\"/>", place(bar.cross), top + 2, kRow - 5);
    }
    svg += "</g>";
  }
  return svg + "\n</svg>\n";
}

std::string heatmap(const std::string& title, const std::vector<std::string>& rows,
                    const std::vector<std::string>& columns, const Associations& cells) {
  constexpr double kCell = 22, kWidest = 90, kWidth = 490;
  const double labels = room_for(rows, kNameWidth) + 8;
  const double across = std::clamp((kWidth - labels) / static_cast<double>(columns.size()), kCell, kWidest);
  const double width = std::max(kWidth, labels + across * static_cast<double>(columns.size()) + 12);
  const double bottom = kCell * static_cast<double>(rows.size());
  const double height = bottom + room_for(columns, kCircleName + 3);
  std::string svg = svg_opening(title, width, height, "wide");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double top = kCell * static_cast<double>(i);
    svg += svg_text(labels - 6, top + 15, "end", cut_middle(rows[i], kNameWidth)) + "\n";
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double strength = cells.strength(static_cast<Index>(i), static_cast<Index>(j));
      const double correlation = cells.correlation(static_cast<Index>(i), static_cast<Index>(j));
      svg += fmt::format(
          "<rect class=\"cell {}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"21\" "
          "fill-opacity=\"{:.2f}\"><title>{}</title></rect>",
          association_class(strength, correlation), labels + across * static_cast<double>(j), top, across - 1,
          std::clamp(strength, 0.02, 1.0), association_words(rows[i], columns[j], strength, correlation));
    }
    svg += "\n";
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    svg += fmt::format("<text transform=\"translate({:.0f} {:.0f}) rotate(-60)\" text-anchor=\"end\">{}</text>",
                       labels + across * (static_cast<double>(j) + 0.5) + 4, bottom + 10,
                       escaped(cut_middle(columns[j], kCircleName + 3)));
  }
  return svg + "\n</svg>\n";
}

std::string network(const std::string& title, const std::vector<std::string>& views,
                    const std::vector<NetworkNode>& nodes, const std::vector<NetworkEdge>& edges) {
  constexpr double kRadius = 150;
  std::vector<std::string> names;
  for (const NetworkNode& node : nodes) names.push_back(node.label);
  const double centre = kRadius + 6 + room_for(names, kCircleName), side = 2 * centre;
  // A gap of one place between the views.
  double places = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) places += i == 0 || nodes[i].view != nodes[i - 1].view ? 2 : 1;
  std::vector<double> angles;
  double place = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    place += i == 0 || nodes[i].view == nodes[i - 1].view ? 1 : 2;
    angles.push_back(2 * std::numbers::pi * place / std::max(1.0, places) + std::numbers::pi / 2);
  }
  const auto x_of = [&](std::size_t i) { return centre + kRadius * std::cos(angles[i]); };
  const auto y_of = [&](std::size_t i) { return centre + kRadius * std::sin(angles[i]); };
  std::string svg = view_legend(views) + association_legend() + svg_opening(title, side, side, "wide network");
  for (const NetworkEdge& edge : edges) {
    const std::string &from = nodes[edge.from].label, &to = nodes[edge.to].label;
    svg += fmt::format(
        "<path class=\"link {}\" stroke-width=\"{:.1f}\" stroke-opacity=\"{:.2f}\" d=\"M{:.1f} {:.1f}Q{} {} {:.1f} "
        "{:.1f}\"><title>{}</title></path>\n",
        association_class(edge.strength, edge.correlation), 0.5 + 4 * edge.strength,
        std::clamp(0.3 + 0.7 * edge.strength, 0.0, 1.0), x_of(edge.from), y_of(edge.from), centre, centre,
        x_of(edge.to), y_of(edge.to), association_words(from, to, edge.strength, edge.correlation));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double degrees = angles[i] * 180 / std::numbers::pi;
    const bool left = std::cos(angles[i]) < 0;
    svg += fmt::format("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"><title>{}</title></circle>",
                       view_class(nodes[i].view), x_of(i), y_of(i), escaped(nodes[i].label));
    svg += fmt::format(
        "<text transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" text-anchor=\"{}\" dy=\"4\">{}</text>\n",
        centre + (kRadius + 9) * std::cos(angles[i]), centre + (kRadius + 9) * std::sin(angles[i]),
        left ? degrees + 180 : degrees, left ? "end" : "start", escaped(cut_middle(nodes[i].label, kCircleName)));
  }
  return svg + "</svg>\n";
}

std::string shap_chart(const std::string& title, const std::vector<ShapStrip>& strips) {
  constexpr double kRow = 20, kWidth = 350, kEnd = 296;
  constexpr std::size_t kShades = 5;
  double most = 0;
  std::vector<std::string> names;
  for (const ShapStrip& strip : strips) {
    names.push_back(strip.label);
    for (const auto& [shap, value] : strip.points) most = std::max(most, std::abs(shap));
  }
  const double reach = most > 0 ? most : 1;
  const double labels = room_for(names, kNameWidth) + 6;
  const auto place = [&](double shap) { return labels + (shap / reach + 1) / 2 * (kEnd - labels); };
  const double height = kRow * static_cast<double>(strips.size()) + 36;
  std::string svg = svg_opening(title, kWidth, height);
  const std::vector<double> grid = ticks(-reach, reach, 4);
  const std::vector<std::string> numbers = tick_labels(grid);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} 0V{:.1f}\"/>\n", place(grid[i]), height - 34);
    svg += svg_text(place(grid[i]), height - 21, "middle", numbers[i]);
  }
  svg += svg_text(place(0), height - 5, "middle", "SHAP value", "name");
  svg += svg_text(kEnd + 10, height - 5, "start", "mean", "name");
  for (std::size_t s = 0; s < strips.size(); ++s) {
    const double middle = kRow * (static_cast<double>(s) + 0.5);
    svg += fmt::format("\n<g><title>{}: mean |SHAP| {:.3f}</title>", escaped(strips[s].label), strips[s].mean_abs);
    svg += svg_text(labels - 12, middle + 4, "end", cut_middle(strips[s].label, kNameWidth));
    std::array<std::string, kShades + 1> paths;  // the last: missing values
    std::size_t number_of_point = 0;
    for (const auto& [shap, value] : strips[s].points) {
      const std::size_t shade =
          value < 0 ? kShades : std::min(kShades - 1, static_cast<std::size_t>(value * static_cast<double>(kShades)));
      // Neighbouring points are spread over the height of the row, without random numbers.
      const double offset = (static_cast<double>(number_of_point++ * 7 % 13) / 12 - 0.5) * (kRow - 8);
      paths[shade] += fmt::format("M{:.0f} {:.0f}h0", place(shap), middle + offset);
    }
    for (std::size_t shade = 0; shade < paths.size(); ++shade) {
      if (!paths[shade].empty()) svg += fmt::format("<path class=\"shap s{}\" d=\"{}\"/>", shade, paths[shade]);
    }
    svg += svg_text(kEnd + 10, middle + 4, "start", fixed(strips[s].mean_abs, 3)) + "</g>";
  }
  return svg + "\n</svg>\n";
}

}  // namespace treecca::report
