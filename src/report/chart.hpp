// Charts of a fit, as inline SVG: correlations, training, importances, partial dependence, samples.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "treecca/loadings.hpp"

namespace treecca::report {

/// One curve: `values` at the positions `at`, of the same length.
struct Curve {
  std::string label;
  std::string style;  // CSS class: out-of-fold, in-sample
  std::vector<double> at, values;
};

/// Total correlation against the round. `level` is a horizontal line with its label (NaN: none), `kept` a vertical one
/// (0: none).
std::string training_chart(const std::string& title, const std::vector<Curve>& curves, const std::string& level_label,
                           double level, double kept);

/// The numbers of one component. NaN: not known.
struct CorrelationRow {
  std::string label;
  double out_of_fold = 0;
  Interval interval = {};
  double noise_threshold = 0;
  double in_sample = 0;
  double linear = 0;
  bool above_noise = true;
};

/// One row per component: a bar for the out-of-fold correlation (if unknown, in-sample) with its value, interval and
/// noise threshold; a thin mark for in-sample, a thin bar for linear CCA. Bars below noise are hollow.
std::string correlation_chart(const std::string& title, const std::vector<CorrelationRow>& rows);

struct Bar {
  std::string label;
  double value = 0;
  std::string note = {};  // after the value
};

/// Labels at the left; values as percentages; the longest bar fills the width. `width` in units of the view box.
std::string importance_bars(const std::string& title, const std::vector<Bar>& bars, double width = 350);

/// A step function: values[0] left of thresholds[0], ... (one more value than thresholds); y from `low` to `high`.
/// `rug`: values of the feature among the samples, as short lines on the axis; those outside the thresholds are left
/// out. `width` in units.
struct StepCurve {
  std::string name, y_name;
  std::vector<double> thresholds, values;
  double low = 0, high = 1;
  std::vector<double> rug = {};
};
std::string step_chart(const std::string& title, const StepCurve& curve, double width);

/// One point per sample, coloured by its class (0, 1, ...).
struct SamplePoint {
  double x = 0, y = 0;
  std::size_t of_class = 0;
};
std::string scatter_chart(const std::string& title, const std::string& x_name, const std::string& y_name,
                          const std::vector<SamplePoint>& points);

}  // namespace treecca::report
