#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "report/html.hpp"
#include "support/utf8.hpp"

namespace treecca::report {

Scale scale_over(double low, double high, double from, double to) {
  if (!(high > low)) {
    // Relative, so that it also widens a range around a large number.
    const double margin = std::max(0.5, 1e-6 * std::abs(low));
    low -= margin;
    high = low + 2 * margin;
  }
  return {low, high, from, to};
}

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

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
  double largest = 0, step = 0;
  for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double gap = std::abs(ticks[i] - ticks[i - 1]);
    step = step > 0 ? std::min(step, gap) : gap;
  }
  if (step == 0) step = largest / 100;
  constexpr int kMaxDecimals = 6;
  const int decimals = step > 0 ? std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9))) : 0;
  const bool plain = decimals <= kMaxDecimals && largest < 1e7;
  // The exponent's mantissa needs as many digits as lie between the largest number and the step.
  const int digits =
      plain || !(step > 0) ? 0 : std::clamp(static_cast<int>(std::ceil(std::log10(largest / step) - 1e-9)), 0, 15);
  std::vector<std::string> labels;
  for (const double tick : ticks) {
    const double value = std::abs(tick) <= 1e-6 * step ? 0 : tick;  // -0 and rounding errors
    labels.push_back(plain || value == 0 ? fmt::format("{:.{}f}", value, plain ? decimals : 0)
                                         : fmt::format("{:.{}e}", value, digits));
  }
  return labels;
}

std::string svg_opening(const std::string& title, double width, double height, const std::string& style) {
  return fmt::format(
      "<svg class=\"chart{}{}\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\"><title>{}</title>\n",
      style.empty() ? "" : " ", style, width, height, escaped(title), escaped(title));
}

std::string svg_text(double x, double y, const char* anchor, const std::string& text, const std::string& style) {
  const std::string attribute = style.empty() ? "" : fmt::format(" class=\"{}\"", style);
  return fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", attribute, x, y, anchor,
                     escaped(text));
}

std::string rotated_text(double x, double y, double degrees, const char* anchor, const std::string& text) {
  return fmt::format(
      "<text transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" text-anchor=\"{}\" dy=\"4\">{}</text>\n", x, y,
      degrees, anchor, escaped(text));
}

std::string svg_line(const std::string& style, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", style, x1, y1,
                     x2, y2);
}

double room_for(const std::vector<std::string>& names, std::size_t most) {
  constexpr double kNarrow = 4.4, kUsual = 7.6, kWide = 11.2, kGap = 12;  // of the fonts in use, with some reserve
  double widest = 0;
  for (const std::string& name : names) {
    const std::string shown = cut_middle(name, most);
    double width = 0;
    for (std::string_view rest = shown; !rest.empty(); rest.remove_prefix(utf8_length(rest))) {
      const bool narrow = std::string_view("ijlI.,:;'|()[]! ").find(rest[0]) != std::string_view::npos;
      const bool wide = std::string_view("mwMW@%").find(rest[0]) != std::string_view::npos ||
                        static_cast<unsigned char>(rest[0]) >= 0xE0;  // three bytes or more: Chinese, symbols
      width += narrow ? kNarrow : wide ? kWide : kUsual;
    }
    widest = std::max(widest, width);
  }
  return widest + kGap;
}

std::string axes(const Frame& frame, const Scale& x, const std::string& x_name, const Scale& y,
                 const std::string& y_name, int x_ticks, int y_ticks) {
  std::string svg;
  const double right = frame.width - frame.right, floor = frame.height - frame.bottom;
  const std::vector<double> rows = ticks(y.low, y.high, y_ticks), columns = ticks(x.low, x.high, x_ticks);
  const std::vector<std::string> row_labels = tick_labels(rows), column_labels = tick_labels(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    svg += svg_line("grid", frame.left, y(rows[i]), right, y(rows[i]));
    svg += svg_text(frame.left - 5, y(rows[i]) + 4, "end", row_labels[i]);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    svg += svg_line("tick", x(columns[i]), floor, x(columns[i]), floor + 4);
    svg += svg_text(x(columns[i]), floor + 16, "middle", column_labels[i]);
  }
  svg += svg_line("axis", frame.left, floor, right, floor);
  svg += svg_text((frame.left + right) / 2, frame.height - 4, "middle", x_name, "name");
  if (!y_name.empty()) svg += rotated_text(7, (frame.top + floor) / 2, -90, "middle", y_name);
  return svg;
}

}  // namespace treecca::report
