#include "treecca/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "explain/tree_mean.hpp"
#include "model/view_at.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

/// Range of a line in standard deviations around the mean, and number of steps on either side.
constexpr double kReach = 2;
constexpr int kSteps = 4;

bool tests(const Tree& tree, Index feature) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(), [&](const Node& node) { return node.feature == feature; });
}

/// Whether trees or linear CCA use a category.
bool uses_levels(const ViewModel& view, Index feature) {
  for (const LinearMap& map : {view.linear, view.base_margin}) {
    if (map.empty()) continue;
    const auto at = static_cast<std::size_t>(feature);
    const double* begin = map.weights.row(map.level_begin[at]);
    if (std::any_of(begin, map.weights.row(map.level_begin[at + 1]), [](double weight) { return weight != 0; })) {
      return true;
    }
  }
  return std::any_of(view.parts.begin(), view.parts.end(), [&](const PartModel& part) {
    return std::any_of(part.encoders.begin(), part.encoders.end(), [&](const Encoder& encoder) {
      return std::any_of(encoder.begin(), encoder.end(), [&](const Tree& tree) { return tests(tree, feature); });
    });
  });
}

bool has_slope(const ViewModel& view, Index feature) {
  if (view.linear.empty() || !(view.deviation[static_cast<std::size_t>(feature)] > 0)) return false;
  const double* slopes = view.linear.weights.row(feature);
  return std::any_of(slopes, slopes + view.linear.weights.cols(), [](double slope) { return slope != 0; });
}

std::vector<double> thresholds_of(const ViewModel& view, Index feature, Index max_steps) {
  std::vector<double> all;
  for (const PartModel& part : view.parts) {
    for (const Encoder& encoder : part.encoders) {
      for (const Tree& tree : encoder) {
        for (const Node& node : tree.nodes) {
          // The largest float means "every value": such a split separates only missing values.
          if (node.feature == feature && node.threshold < std::numeric_limits<float>::max())
            all.push_back(node.threshold);
        }
      }
    }
  }
  std::sort(all.begin(), all.end());
  if (has_slope(view, feature)) {  // a line needs steps even if no tree has any
    const auto at = static_cast<std::size_t>(feature);
    for (int step = -kSteps; step <= kSteps; ++step) {
      const double x = view.linear.mean[at] + view.deviation[at] * step * kReach / kSteps;
      const double spacing = view.deviation[at] * kReach / kSteps / 2;
      const auto near = std::lower_bound(all.begin(), all.end(), x - spacing);
      if (near == all.end() || *near > x + spacing) all.insert(std::lower_bound(all.begin(), all.end(), x), x);
    }
  }
  const auto count = static_cast<double>(all.size());
  std::vector<double> some;
  for (Index s = 0; s < max_steps && !all.empty(); ++s) {  // quantiles: steps are dense where the trees have many
                                                           // splits
    const auto at = static_cast<std::size_t>((static_cast<double>(s) + 0.5) * count / static_cast<double>(max_steps));
    some.push_back(all[at]);
  }
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

/// A value inside each step: half way between thresholds, and the same distance beyond the outer thresholds.
std::vector<double> inside_steps(const std::vector<double>& thresholds) {
  const double margin =
      thresholds.size() > 1 ? (thresholds.back() - thresholds.front()) / static_cast<double>(thresholds.size()) : 1.0;
  std::vector<double> values{thresholds.front() - margin};
  for (std::size_t t = 1; t < thresholds.size(); ++t) values.push_back((thresholds[t - 1] + thresholds[t]) / 2);
  values.push_back(thresholds.back() + margin);
  return values;
}

/// The contribution of a map to output k for this value of the feature, in double precision.
double added(const LinearMap& map, Index feature, double x, Index k) {
  const LinearMap::Term term = map.term(feature, static_cast<float>(x));
  const double factor = term.row == feature ? x - map.mean[static_cast<std::size_t>(feature)] : term.factor;
  return factor * map.weights(term.row, k);
}

/// Adds the mean variates of a part's trees at every input, as transform does.
void add_part(const ViewModel& view, const PartModel& part, Index feature, const std::vector<double>& inputs,
              Matrix<double>& variates) {
  const Index trained = part.rotation.rows();
  Matrix<double> embedding(variates.rows(), trained);
  std::vector<double> everywhere(static_cast<std::size_t>(trained), 0.0);  // trees that do not test the feature
  std::vector<double> weights;
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, part.encoders.size()));
  for (const Encoder& encoder : part.encoders) {
    for (const Tree& tree : encoder) {
      const Index width = tree.component < 0 ? trained : 1;
      if (!tests(tree, feature)) {
        add_mean_prediction(tree, feature, 0, share, width, weights, everywhere.data());
        continue;
      }
      for (Index i = 0; i < embedding.rows(); ++i) {
        add_mean_prediction(tree, feature, inputs[static_cast<std::size_t>(i)], share, width, weights,
                            embedding.row(i));
      }
    }
  }
  for (Index i = 0; i < embedding.rows(); ++i) {
    const double x = inputs[static_cast<std::size_t>(i)];
    for (Index l = 0; l < trained; ++l) {
      double z = embedding(i, l) + everywhere[l] - part.mean[l];
      if (!view.base_margin.empty() && !std::isnan(x)) z += added(view.base_margin, feature, x, l);
      for (Index c = 0; c < variates.cols(); ++c) variates(i, c) += z * part.rotation(l, c);
    }
  }
}

}  // namespace

ShapeCurve shape_curve(const Model& model, Index view_number, Index feature, Index max_steps) {
  const ViewModel& view = view_at(model, view_number);
  if (feature < 0 || feature >= static_cast<Index>(view.feature_names.size())) {
    throw UsageError(fmt::format("View \"{}\" has no feature {}; it has {} of them, counted from 0.", view.name,
                                 feature, view.feature_names.size()));
  }
  constexpr Index kMaxSteps = 100'000;
  if (max_steps < 1 || max_steps > kMaxSteps) {
    throw UsageError(fmt::format("A partial dependence curve has 1 to {} steps, not {}.", kMaxSteps, max_steps));
  }
  const Index k = model.n_components();
  ShapeCurve curve;
  std::vector<double> inputs;
  if (view.is_category(feature)) {
    if (uses_levels(view, feature)) curve.levels = view.levels[static_cast<std::size_t>(feature)];
    for (std::size_t level = 0; level < curve.levels.size(); ++level) inputs.push_back(static_cast<double>(level));
  } else {
    curve.thresholds = thresholds_of(view, feature, max_steps);
    if (!curve.thresholds.empty()) inputs = inside_steps(curve.thresholds);
  }
  const std::size_t n_values = inputs.size();
  inputs.push_back(std::numeric_limits<double>::quiet_NaN());

  Matrix<double> variates(static_cast<Index>(inputs.size()), k);
  for (const PartModel& part : view.parts) add_part(view, part, feature, inputs, variates);
  for (Index i = 0; i < variates.rows() && !view.linear.empty(); ++i) {
    const double x = inputs[static_cast<std::size_t>(i)];
    if (std::isnan(x)) continue;  // counts as the mean
    for (Index c = 0; c < k; ++c) variates(i, c) += added(view.linear, feature, x, c);
  }
  curve.missing.assign(variates.row(static_cast<Index>(n_values)), variates.row(static_cast<Index>(n_values)) + k);
  curve.values = Matrix<double>(static_cast<Index>(n_values), k);
  std::copy_n(variates.data(), curve.values.values().size(), curve.values.data());
  if (!view.offset.empty()) {
    for (double& threshold : curve.thresholds) threshold += view.offset[static_cast<std::size_t>(feature)];
  }
  return curve;
}

}  // namespace treecca
