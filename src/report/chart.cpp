#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"

namespace treecca::report {
namespace {

/// A linear scale from data to pixels.
struct Scale {
  double low, high;
  double from, to;
  double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

struct Frame {
  double width, height;
  double left = 44, right = 10, top = 8, bottom = 30;
};

Scale spanning(double low, double high, double from, double to) {
  if (!(high > low)) {
    low -= 0.5;
    high += 0.5;
  }
  return {low, high, from, to};
}

std::string opening(const std::string& title, const Frame& frame) {
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\"><title>{}</title>\n",
                     frame.width, frame.height, escaped(title), escaped(title));
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

/// Grid lines and labels of both axes; `x_ticks` may be empty.
std::string axes(const Frame& frame, const Scale& x, const std::vector<double>& x_ticks, const Scale& y,
                 const std::vector<double>& y_ticks, const std::string& x_label) {
  std::string svg;
  for (const double value : y_ticks) {
    svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", frame.left,
                       frame.width - frame.right, y(value), y(value));
    svg += text_at(frame.left - 6, y(value) + 4, "end", number(value, 4));
  }
  for (const double value : x_ticks)
    svg += text_at(x(value), frame.height - frame.bottom + 15, "middle", number(value, 4));
  svg += text_at((frame.left + frame.width - frame.right) / 2, frame.height - 3, "middle", x_label);
  return svg;
}

std::string legend(const std::vector<Series>& series) {
  std::string html = "<ul class=\"legend\">";
  for (const Series& one : series) {
    html += fmt::format("<li><span class=\"key {}\"></span>{}</li>", one.style, escaped(one.label));
  }
  return html + "</ul>\n";
}

}  // namespace

std::vector<double> ticks(double low, double high, int wanted) {
  if (!(high > low) || !std::isfinite(high - low)) return {low};
  const double rough = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0}) {
    if (nice * power >= rough * 0.999) {
      step = nice * power;
      break;
    }
  }
  std::vector<double> result;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) result.push_back(i * step);
  return result;
}

std::string line_chart(const std::string& title, const std::vector<Series>& series, const Series& level, double mark) {
  const Frame frame{620, 260};
  double highest = 0;
  std::size_t rounds = 1;
  for (const Series& one : series) {
    for (const double value : one.values) highest = std::max(highest, value);
    rounds = std::max(rounds, one.values.size());
  }
  const bool has_level = !level.values.empty() && std::isfinite(level.values[0]);
  if (has_level) highest = std::max(highest, level.values[0]);
  const Scale x = spanning(1, static_cast<double>(rounds), frame.left, frame.width - frame.right);
  const Scale y = spanning(0, highest * 1.05, frame.height - frame.bottom, frame.top);
  std::string svg =
      opening(title, frame) + axes(frame, x, ticks(1, static_cast<double>(rounds), 6), y, ticks(0, y.high), "round");
  for (const Series& one : series) {
    svg += fmt::format("<polyline class=\"curve {}\" points=\"", one.style);
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      svg += fmt::format("{:.1f},{:.1f} ", x(static_cast<double>(i + 1)), y(one.values[i]));
    }
    svg += "\"/>\n";
  }
  if (has_level) {
    svg += fmt::format("<line class=\"curve dashed {}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                       level.style, frame.left, frame.width - frame.right, y(level.values[0]), y(level.values[0]));
  }
  if (mark > 0) {
    svg += fmt::format("<line class=\"mark\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x(mark),
                       x(mark), frame.top, frame.height - frame.bottom);
    svg += text_at(x(mark) - 4, frame.top + 22, "end", "kept");
  }
  std::vector<Series> keys = series;
  if (has_level) keys.push_back(level);
  return legend(keys) + svg + "</svg>\n";
}

std::string grouped_bars(const std::string& title, const std::vector<Series>& series) {
  const Frame frame{620, 260};
  std::size_t groups = 1;
  double lowest = 0;
  for (const Series& one : series) {
    groups = std::max(groups, one.values.size());
    for (const double value : one.values) lowest = std::min(lowest, value);
  }
  const Scale x = spanning(0.4, static_cast<double>(groups) + 0.6, frame.left, frame.width - frame.right);
  const Scale y = spanning(lowest < 0 ? lowest - 0.05 : 0, 1, frame.height - frame.bottom, frame.top);
  std::vector<double> names;
  const auto step = std::max<std::size_t>(1, groups / 25);
  for (std::size_t g = 1; g <= groups; g += step) names.push_back(static_cast<double>(g));
  std::string svg = opening(title, frame) + axes(frame, x, names, y, ticks(y.low, 1), "component");
  const double width = 0.8 / static_cast<double>(series.size());
  for (std::size_t s = 0; s < series.size(); ++s) {
    for (std::size_t g = 0; g < series[s].values.size(); ++g) {
      const double value = series[s].values[g];
      if (!std::isfinite(value)) continue;
      const double left = static_cast<double>(g) + 0.6 + static_cast<double>(s) * width;
      svg += fmt::format(
          "<rect class=\"bar {}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>component {}, "
          "{}: "
          "{}</title></rect>\n",
          series[s].style, x(left), y(std::max(0.0, value)), x(left + width) - x(left) - 0.5, std::abs(y(value) - y(0)),
          g + 1, escaped(series[s].label), number(value));
    }
  }
  return legend(series) + svg + "</svg>\n";
}

std::string horizontal_bars(const std::string& title, const std::vector<Bar>& bars) {
  constexpr double kRow = 22;
  constexpr double kLabels = 150;
  constexpr double kValues = 100;
  const Frame frame{400, kRow * static_cast<double>(std::max<std::size_t>(1, bars.size())) + 4};
  double highest = 0;
  for (const Bar& bar : bars) highest = std::max(highest, bar.value);
  std::string svg = opening(title, frame);
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const double top = kRow * static_cast<double>(b) + 2;
    const double length = highest > 0 ? bars[b].value / highest * (frame.width - kLabels - kValues) : 0;
    svg += fmt::format("<g><title>{}: {}</title>", escaped(bars[b].label), number(bars[b].value, 4));
    svg += text_at(kLabels - 6, top + 14, "end", cut_middle(bars[b].label, 20));
    svg += fmt::format("<rect class=\"bar out-of-fold\" x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/>",
                       kLabels, top + 3, length, kRow - 8);
    svg += text_at(kLabels + length + 5, top + 14, "start", number(100 * bars[b].value, 1) + " %" + bars[b].note) +
           "</g>\n";
  }
  return svg + "</svg>\n";
}

std::string step_chart(const std::string& title, const std::vector<double>& thresholds,
                       const std::vector<double>& values, double low, double high) {
  const Frame frame{240, 170};
  const double margin = std::max(1e-300, 0.06 * (thresholds.back() - thresholds.front()));
  const Scale x =
      spanning(thresholds.front() - margin, thresholds.back() + margin, frame.left, frame.width - frame.right);
  const Scale y = spanning(low, high, frame.height - frame.bottom, frame.top);
  std::string svg = opening(title, frame) + axes(frame, x, ticks(x.low, x.high, 3), y, ticks(y.low, y.high, 4), "");
  svg += "<polyline class=\"curve out-of-fold\" points=\"";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double from = i == 0 ? x.low : thresholds[i - 1];
    const double to = i == thresholds.size() ? x.high : thresholds[i];
    svg += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x(from), y(values[i]), x(to), y(values[i]));
  }
  return svg + "\"/>\n</svg>\n";
}

}  // namespace treecca::report
