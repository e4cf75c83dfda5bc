// SHAP values of some samples, per component and view.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/feature_charts.hpp"
#include "report/html.hpp"
#include "report/ranking.hpp"
#include "report/sections.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kStrips = 7;
// Nodes x components x samples that take some seconds. Large models get fewer samples, or none.
constexpr double kMostWork = 3e8;
constexpr Index kFewestExplained = 20;

/// The relative rank of every value, 0 to 1; -1 if it is missing.
std::vector<double> places_of(const std::vector<double>& values) {
  std::vector<double> sorted;
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](double x) { return !std::isnan(x); });
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> places;
  for (const double x : values) {
    if (std::isnan(x)) {
      places.push_back(-1);
      continue;
    }
    const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), x);
    const double middle = (static_cast<double>(low - sorted.begin()) + static_cast<double>(high - sorted.begin())) / 2;
    places.push_back(std::min(0.999, middle / static_cast<double>(sorted.size())));
  }
  return places;
}

}  // namespace

std::vector<Index> explained_rows(const RunSummary& run) {
  std::vector<Index> rows;
  if (run.data.empty()) return rows;
  const Index n = run.data[0].rows();
  double work = 1;  // of one sample
  for (const ViewModel& view : run.result.model.views) {
    for (const PartModel& part : view.parts) {
      for (const Encoder& encoder : part.encoders) {
        for (const Tree& tree : encoder) work += static_cast<double>(tree.nodes.size());
      }
    }
  }
  work *= static_cast<double>(run.result.model.n_components());
  const auto most = static_cast<Index>(std::min(static_cast<double>(kMaxExplained), kMostWork / work));
  if (most < kFewestExplained) return rows;
  const Index step = std::max<Index>(1, (n + most - 1) / most);
  for (Index i = 0; i < n; i += step) rows.push_back(i);
  return rows;
}

Matrix<double> in_rows(const MatrixView& values, const std::vector<Index>& rows) {
  Matrix<double> result(static_cast<Index>(rows.size()), values.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) result(i, j) = values.value(rows[static_cast<std::size_t>(i)], j);
  }
  return result;
}

std::string shap_section(const RunSummary& run, Index view, Index component, const ShapValues& shap) {
  const ViewModel& of = run.result.model.views[static_cast<std::size_t>(view)];
  const Matrix<double> values = in_rows(run.data[static_cast<std::size_t>(view)], explained_rows(run));
  const Index p = values.cols(), k = run.result.model.n_components();
  std::vector<ShapStrip> strips;
  for (const FeatureContribution& entry : ranked_contributions(values, shap, component)) {
    if (strips.size() == kStrips) break;
    std::vector<double> of_feature;
    for (Index i = 0; i < values.rows(); ++i) of_feature.push_back(values(i, entry.feature));
    const std::vector<double> places = places_of(of_feature);
    ShapStrip& strip = strips.emplace_back();
    strip.label = of.feature_names[static_cast<std::size_t>(entry.feature)];
    strip.mean_abs = entry.mean_abs;
    for (Index i = 0; i < values.rows(); ++i) {
      strip.points.emplace_back(shap.values[static_cast<std::size_t>((i * p + entry.feature) * k + component)],
                                places[static_cast<std::size_t>(i)]);
    }
  }
  if (strips.empty()) return "";
  return "<figure>\n<h5>SHAP values</h5>\n" +
         shap_chart(fmt::format("SHAP values of {} for component {}", of.name, component + 1), strips) + "</figure>\n";
}

}  // namespace treecca::report
