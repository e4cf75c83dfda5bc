// The parts that the charts share: opening tag, texts, scales, ticks.
//
// Colours are classes (see page.css), so that they follow light and dark mode. Every chart has a title for screen
// readers. Charts scale with their column; lengths are in units of the view box.
#pragma once

#include <string>
#include <vector>

namespace treecca::report {

/// A linear scale from data to units of the view box.
struct Scale {
  double low, high;
  double from, to;
  double operator()(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// Widens an empty range, so that the scale is defined.
Scale scale_over(double low, double high, double from, double to);

/// Multiples of 1, 2 or 5 times a power of ten inside [low, high], about `wanted` of them; `low` alone if the range is
/// empty or not finite.
std::vector<double> ticks(double low, double high, int wanted = 5);

/// One label per tick, all with the smallest number of decimals that distinguishes neighbours; with an exponent if
/// plain numbers would need more than seven digits.
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

/// "<svg ...><title>...</title>". `style`: further CSS classes.
std::string svg_opening(const std::string& title, double width, double height, const std::string& style = "");

/// `anchor`: start, middle or end. `style`: CSS classes, or none.
std::string svg_text(double x, double y, const char* anchor, const std::string& text, const std::string& style = "");

/// The same, rotated by `degrees` around its place.
std::string rotated_text(double x, double y, double degrees, const char* anchor, const std::string& text);

std::string svg_line(const std::string& style, double x1, double y1, double x2, double y2);

/// The width of the longest of these names, cut to `most` characters, including the larger letters of print.
double room_for(const std::vector<std::string>& names, std::size_t most);

/// The rectangle between the axes.
struct Frame {
  double width, height;
  double left = 56, right = 10, top = 8, bottom = 36;
  Scale x(double low, double high) const { return scale_over(low, high, left, width - right); }
  Scale y(double low, double high) const { return scale_over(low, high, height - bottom, top); }
};

/// Ticks with numbers and the names of both axes; grid lines for y.
std::string axes(const Frame& frame, const Scale& x, const std::string& x_name, const Scale& y,
                 const std::string& y_name, int x_ticks = 5, int y_ticks = 4);

}  // namespace treecca::report
