#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/html.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kBarNames = 20;
constexpr std::size_t kAxisNames = 34;

std::string whisker(const Interval& interval, const Scale& x, double y) {
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return "";
  const double low = x(interval.low), high = x(interval.high);
  return fmt::format("<path class=\"whisker\" d=\"M{0:.1f} {2:.1f}v6m0 -3H{1:.1f}m0 -3v6\"/>", low, high, y - 3);
}

/// The row of one component, `top` to `top + height`.
std::string correlation_marks(const CorrelationRow& row, const Scale& x, double top, double height) {
  const bool cross_fitted = std::isfinite(row.out_of_fold);
  const double value = cross_fitted ? row.out_of_fold : row.in_sample;
  const double bar_top = top + 0.15 * height, bar_height = 0.42 * height;
  std::string svg =
      fmt::format("<rect class=\"bar {}{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                  cross_fitted ? "out-of-fold" : "in-sample", row.above_noise ? "" : " hollow",
                  std::min(x(0), x(value)), bar_top, std::abs(x(value) - x(0)), bar_height);
  if (std::isfinite(row.linear)) {
    svg += fmt::format("<rect class=\"bar linear\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                       std::min(x(0), x(row.linear)), bar_top + bar_height + 0.06 * height,
                       std::abs(x(row.linear) - x(0)), 0.16 * height);
  }
  if (!cross_fitted) return svg;
  if (std::isfinite(row.in_sample)) {
    svg += svg_line("in-sample-mark", x(row.in_sample), bar_top, x(row.in_sample), bar_top + bar_height);
  }
  if (std::isfinite(row.noise_threshold)) {
    svg += svg_line("noise", x(row.noise_threshold), bar_top - 0.08 * height, x(row.noise_threshold),
                    bar_top + bar_height + 0.3 * height);
  }
  return svg + whisker(row.interval, x, bar_top + bar_height / 2);
}

std::string spoken(const CorrelationRow& row) {
  std::string text = row.label;
  if (std::isfinite(row.out_of_fold)) {
    text += fmt::format(": out-of-fold {}", fixed(row.out_of_fold));
    if (std::isfinite(row.interval.low)) {
      text += fmt::format(" (95% interval {} to {})", fixed(row.interval.low), fixed(row.interval.high));
    }
    text += fmt::format(", noise threshold {}", fixed(row.noise_threshold));
    if (!row.above_noise) text += ", below noise";
    text += ";";
  } else {
    text += ":";
  }
  return text + fmt::format(" in-sample {}, linear {}", fixed(row.in_sample), fixed(row.linear));
}

}  // namespace

std::string training_chart(const std::string& title, const std::vector<Curve>& curves, const std::string& level_label,
                           double level, double kept) {
  const Frame frame{480, 210};
  double highest = std::isfinite(level) ? level : 0, last = 1;
  for (const Curve& curve : curves) {
    for (const double value : curve.values) highest = std::max(highest, value);
    for (const double round : curve.at) last = std::max(last, round);
  }
  const Scale x = frame.x(0, last), y = frame.y(0, highest > 0 ? highest * 1.08 : 1);
  std::string keys = "<ul class=\"legend\">";
  std::string svg =
      svg_opening(title, frame.width, frame.height, "wide") + axes(frame, x, "round", y, "total correlation (TCC)");
  for (const Curve& curve : curves) {
    keys += fmt::format("<li><span class=\"key {}\"></span>{}</li>", curve.style, escaped(curve.label));
    svg += fmt::format("<polyline class=\"curve {}\" points=\"", curve.style);
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      if (std::isfinite(curve.values[i])) svg += fmt::format("{:.1f},{:.1f} ", x(curve.at[i]), y(curve.values[i]));
    }
    svg += "\"/>\n";
  }
  if (std::isfinite(level)) {
    keys += fmt::format("<li><span class=\"key dash\"></span>{}</li>", escaped(level_label));
    svg += svg_line("curve dashed linear", frame.left, y(level), frame.width - frame.right, y(level));
  }
  if (kept > 0) {
    svg += svg_line("mark", x(kept), frame.top, x(kept), frame.height - frame.bottom);
    svg += svg_text(x(kept) - 4, frame.height - frame.bottom - 6, "end", fmt::format("kept: {:.0f}", kept));
  }
  return keys + "</ul>\n" + svg + "</svg>\n";
}

std::string correlation_chart(const std::string& title, const std::vector<CorrelationRow>& rows) {
  constexpr std::size_t kTallRows = 12;
  const double row_height = rows.size() > kTallRows ? 20 : 34;
  const double labels = 46, values = row_height > 30 ? 86 : 104;
  const Frame frame{480, row_height * static_cast<double>(rows.size()) + 44, labels, values, 4, 40};
  double lowest = 0;
  for (const CorrelationRow& row : rows) {
    for (const double value : {row.out_of_fold, row.interval.low, row.in_sample, row.linear}) {
      if (value < lowest) lowest = value;  // not for NaN
    }
  }
  const Scale x = frame.x(lowest < 0 ? lowest - 0.02 : 0, 1);
  const double floor = frame.height - frame.bottom;
  std::string svg = svg_opening(title, frame.width, frame.height, "wide");
  const std::vector<double> grid = ticks(x.low, 1, 7);
  const std::vector<std::string> labels_of_grid = tick_labels(grid);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    svg += svg_line("grid", x(grid[i]), frame.top, x(grid[i]), floor);
    svg += svg_text(x(grid[i]), floor + 16, "middle", labels_of_grid[i]);
  }
  svg += svg_line("axis", x(0), frame.top, x(0), floor);
  svg += svg_text((x.from + x.to) / 2, frame.height - 4, "middle", "canonical correlation", "name");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double top = frame.top + row_height * static_cast<double>(r);
    const double value = std::isfinite(rows[r].out_of_fold) ? rows[r].out_of_fold : rows[r].in_sample;
    svg += fmt::format("<g><title>{}</title>", escaped(spoken(rows[r])));
    svg += svg_text(labels - 6, top + 0.5 * row_height, "end", rows[r].label, "name");
    svg += correlation_marks(rows[r], x, top, row_height);
    svg += svg_text(x.to + 8, top + 0.5 * row_height, "start", fixed(value, 2), rows[r].above_noise ? "value" : "");
    if (!rows[r].above_noise) {
      svg += row_height > 30 ? svg_text(x.to + 8, top + 0.5 * row_height + 13, "start", "below noise")
                             : svg_text(x.to + 40, top + 0.5 * row_height, "start", "below noise");
    }
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

std::string importance_bars(const std::string& title, const std::vector<Bar>& bars, double width) {
  constexpr double kRow = 20, kValues = 88;
  double highest = 0;
  std::vector<std::string> names;
  for (const Bar& bar : bars) {
    highest = std::max(highest, bar.value);
    names.push_back(bar.label);
  }
  const double labels = room_for(names, kBarNames);
  std::string svg = svg_opening(title, width, kRow * static_cast<double>(bars.size()) + 4);
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const double top = kRow * static_cast<double>(b) + 2;
    const double length = highest > 0 ? bars[b].value / highest * (width - labels - kValues) : 0;
    svg += fmt::format("<g><title>{}: {}</title>", escaped(bars[b].label), percent(bars[b].value));
    svg += svg_text(labels - 6, top + 14, "end", cut_middle(bars[b].label, kBarNames));
    svg += fmt::format("<rect class=\"bar out-of-fold\" x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>", labels,
                       top + 3, length, kRow - 7);
    svg += svg_text(labels + length + 5, top + 14, "start", short_percent(bars[b].value) + bars[b].note) + "</g>\n";
  }
  return svg + "</svg>\n";
}

std::vector<std::pair<double, double>> step_ends(const StepCurve& curve) {
  const std::vector<double>& thresholds = curve.thresholds;
  const double margin = 0.06 * (thresholds.back() - thresholds.front());
  const Scale range = scale_over(thresholds.front() - margin, thresholds.back() + margin, 0, 1);
  std::vector<std::pair<double, double>> ends;
  for (std::size_t i = 0; i < curve.values.size(); ++i) {
    const double from = i == 0 ? range.low : thresholds[i - 1];
    const double to = i == thresholds.size() ? range.high : thresholds[i];
    for (const double x : {from, to}) ends.emplace_back(x, curve.values[i] + curve.slope * (x - curve.at[i]));
  }
  return ends;
}

std::string step_chart(const std::string& title, const StepCurve& curve, double width) {
  const Frame frame{width, 145};
  const std::vector<std::pair<double, double>> ends = step_ends(curve);
  const Scale x = frame.x(ends.front().first, ends.back().first);
  const double room = 0.05 * (curve.high - curve.low);
  const Scale y = frame.y(curve.low - room, curve.high + room);
  std::string svg = svg_opening(title, frame.width, frame.height) +
                    axes(frame, x, cut_middle(curve.name, kAxisNames), y, curve.y_name, 4, 4);
  svg += "<path class=\"rug\" d=\"";
  for (const double value : curve.rug) {
    if (value >= x.low && value <= x.high)
      svg += fmt::format("M{:.1f} {:.0f}v-7", x(value), frame.height - frame.bottom);
  }
  svg += "\"/>\n<polyline class=\"curve out-of-fold\" points=\"";
  for (const auto& [place, value] : ends) svg += fmt::format("{:.1f},{:.1f} ", x(place), y(value));
  return svg + "\"/>\n</svg>\n";
}

std::string scatter_chart(const std::string& title, const std::string& x_name, const std::string& y_name,
                          const std::vector<SamplePoint>& points) {
  const Frame frame{350, 200};
  double left = 0, right = 0, low = 0, high = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    left = i == 0 ? points[i].x : std::min(left, points[i].x);
    right = i == 0 ? points[i].x : std::max(right, points[i].x);
    low = i == 0 ? points[i].y : std::min(low, points[i].y);
    high = i == 0 ? points[i].y : std::max(high, points[i].y);
  }
  const double side = 0.03 * (right - left), room = 0.03 * (high - low);
  const Scale x = frame.x(left - side, right + side), y = frame.y(low - room, high + room);
  std::map<std::size_t, std::string> paths;
  for (const SamplePoint& point : points) {
    paths[point.of_class] += fmt::format("M{:.0f} {:.0f}h0", x(point.x), y(point.y));
  }
  std::string svg = svg_opening(title, frame.width, frame.height) +
                    axes(frame, x, cut_middle(x_name, kAxisNames), y, cut_middle(y_name, kAxisNames));
  for (const auto& [of_class, path] : paths) {
    svg += fmt::format("<path class=\"points c{}\" d=\"{}\"/>\n", of_class % 8, path);
  }
  return svg + "</svg>\n";
}

}  // namespace treecca::report
