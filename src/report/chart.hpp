// Small charts as inline SVG: lines, grouped bars, steps, horizontal bars.
//
// Colours are classes (see page.css), so that they follow light and dark mode. Every chart has a title for screen
// readers. Charts scale with the width of the page.
#pragma once

#include <string>
#include <vector>

namespace treecca::report {

/// Round numbers that span [low, high], about `wanted` of them.
std::vector<double> ticks(double low, double high, int wanted = 5);

struct Series {
  std::string label;
  std::string style;  // CSS class: out-of-fold, in-sample, linear
  std::vector<double> values;
};

/// Series over rounds 1, 2, ...; `level` is a horizontal line with a label (NaN: none), `mark` a vertical one (0:
/// none).
std::string line_chart(const std::string& title, const std::vector<Series>& series, const Series& level, double mark);

/// One group of bars per component.
std::string grouped_bars(const std::string& title, const std::vector<Series>& series);

struct Bar {
  std::string label;
  double value = 0;
  std::string note = {};  // after the value
};

/// Labels at the left, longest bar full width.
std::string horizontal_bars(const std::string& title, const std::vector<Bar>& bars);

/// A step function: values[0] left of thresholds[0], ... (one more value than thresholds).
std::string step_chart(const std::string& title, const std::vector<double>& thresholds,
                       const std::vector<double>& values, double low, double high);

}  // namespace treecca::report
