// Per component: which features drive it in every view, and how.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "report/chart.hpp"
#include "report/feature_charts.hpp"
#include "report/html.hpp"
#include "report/ranking.hpp"
#include "report/sections.hpp"
#include "support/order.hpp"
#include "treecca/importance.hpp"
#include "treecca/loadings.hpp"
#include "treecca/shape.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kTopFeatures = 10;
constexpr std::size_t kShapes = 3;
constexpr Index kMaxComponents = 20;  // with details; a report of hundreds would not be read

/// The most important features of a component with any importance, best first.
std::vector<FeatureShare> top_features(const Matrix<double>& importances, Index component) {
  std::vector<FeatureShare> top = ranked({importances.row(component), static_cast<std::size_t>(importances.cols())});
  top.resize(std::min(top.size(), kTopFeatures));
  std::erase_if(top, [](const FeatureShare& entry) { return !(entry.share > 0); });
  return top;
}

/// The variate of each level of a category, highest first; of many levels the outer ones.
std::string levels_table(const ShapeCurve& curve, Index component) {
  constexpr std::size_t kMostLevels = 10;
  std::vector<std::size_t> order(curve.levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto value = [&](std::size_t level) { return curve.values(static_cast<Index>(level), component); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  std::vector<std::vector<std::string>> rows;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const bool shown = order.size() <= kMostLevels || at < kMostLevels / 2 || at + kMostLevels / 2 >= order.size();
    if (shown) rows.push_back({escaped(cut(curve.levels[order[at]], 24)), fixed(value(order[at]), 2)});
    if (!shown && rows.back()[1] != "…") rows.push_back({fmt::format("{} more", order.size() - kMostLevels), "…"});
  }
  return table({"Level", "Variate"}, rows);
}

/// Shapes share their vertical axis, so that they can be compared.
std::string shapes(const Model& model, Index view, Index component, const std::vector<FeatureShare>& features) {
  std::vector<std::pair<Index, ShapeCurve>> curves;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t f = 0; f < std::min(kShapes, features.size()); ++f) {
    ShapeCurve curve = shape_curve(model, view, features[f].feature);
    if (curve.thresholds.empty() && curve.levels.empty()) continue;
    for (Index i = 0; i < curve.values.rows(); ++i) {
      low = std::min(low, curve.values(i, component));
      high = std::max(high, curve.values(i, component));
    }
    curves.emplace_back(features[f].feature, std::move(curve));
  }
  std::string html = "<div class=\"shapes\">\n";
  for (const auto& [feature, curve] : curves) {
    const std::string& name =
        model.views[static_cast<std::size_t>(view)].feature_names[static_cast<std::size_t>(feature)];
    std::vector<double> values;
    for (Index i = 0; i < curve.values.rows(); ++i) values.push_back(curve.values(i, component));
    if (!curve.levels.empty()) {
      html += "<figure>" + levels_table(curve, component) + "<figcaption>" + escaped(cut(name, 40)) +
              "</figcaption></figure>\n";
      continue;
    }
    html += "<figure>" + step_chart("Variate along " + name, curve.thresholds, values, low, high) + "<figcaption>" +
            escaped(cut(name, 40)) + "</figcaption></figure>\n";
  }
  return html + "</div>\n";
}

/// The features with the highest absolute loadings.
std::string loadings_of(const ViewModel& view, Index component) {
  if (view.loadings.empty()) return "";
  const Loadings& loadings = view.loadings;
  std::vector<LoadingBar> bars;
  const auto size = [&](Index j) { return std::abs(loadings.own(j, component)); };
  for (const Index j : descending_order(loadings.own.rows(), size)) {
    if (bars.size() == kTopFeatures || loadings.own(j, component) == 0) break;
    const Interval interval = loading_interval(view, loadings.own, loadings.own_errors, j, component);
    LoadingBar& bar = bars.emplace_back();
    bar = {view.feature_names[static_cast<std::size_t>(j)],
           loadings.own(j, component),
           interval.low,
           interval.high,
           !loadings.cross.empty(),
           0};
    if (bar.has_cross) bar.cross = loadings.cross(j, component);
  }
  if (bars.empty()) return "";
  return "<h4>Loadings</h4>\n" +
         loadings_chart(fmt::format("Highest loadings of {} on component {}", view.name, component + 1), bars) +
         fmt::format("<p class=\"soft\">Correlations of the features with the variate, with 95 % intervals{}.</p>\n",
                     loadings.cross.empty() ? "" : "; grey mark: with the variates of the other views");
}

}  // namespace

std::string components(const RunSummary& run) {
  const Model& model = run.result.model;
  const Index shown = std::min(model.n_components(), kMaxComponents);
  std::vector<Matrix<double>> importances;
  for (Index v = 0; v < static_cast<Index>(model.views.size()); ++v) {
    importances.push_back(component_importances(model, v, ImportanceKind::gain));
  }
  const std::vector<Index> rows = explained_rows(run);
  std::vector<ShapValues> shap;
  for (Index v = 0; !rows.empty() && v < static_cast<Index>(model.views.size()); ++v) {
    shap.push_back(shap_values(model, v, in_rows(run.data[static_cast<std::size_t>(v)], rows)));
  }
  std::string tabs = "<div class=\"chooser\" role=\"tablist\" aria-label=\"Components\">\n";
  std::string panels;
  for (Index k = 0; k < shown; ++k) {
    const Correlations& all = model.correlations;
    const std::vector<double>& known = all.out_of_fold.empty() ? all.in_sample : all.out_of_fold;
    tabs += fmt::format(
        "<button type=\"button\" role=\"tab\" id=\"tab-{0}\" aria-controls=\"panel-{0}\" aria-selected=\"{1}\">{2} "
        "<span class=\"number\">({3})</span></button>\n",
        k, k == 0 ? "true" : "false", k + 1, fixed(known[k], 2));
    panels +=
        fmt::format("<div role=\"tabpanel\" id=\"panel-{0}\" aria-labelledby=\"tab-{0}\"{1}>\n<div class=\"views\">\n",
                    k, k == 0 ? "" : " hidden");
    for (Index v = 0; v < static_cast<Index>(model.views.size()); ++v) {
      const ViewModel& view = model.views[static_cast<std::size_t>(v)];
      const std::vector<FeatureShare> top = top_features(importances[static_cast<std::size_t>(v)], k);
      std::vector<Bar> bars;
      for (const FeatureShare& entry : top) {
        bars.push_back({view.feature_names[static_cast<std::size_t>(entry.feature)], entry.share, ""});
        if (view.loadings.empty()) continue;
        const bool category = view.is_category(entry.feature);
        const double loading = view.loadings.own(entry.feature, k);
        bars.back().note = category ? fmt::format(" ({:.2f})", loading) : fmt::format(" ({:+.2f})", loading);
      }
      panels += fmt::format("<section>\n<h3>Component {} in {}</h3>\n", k + 1, escaped(cut(view.name, 60)));
      panels +=
          bars.empty()
              ? "<p class=\"soft\">No tree of this view was split.</p>\n"
              : horizontal_bars(fmt::format("Most important features of {} for component {}", view.name, k + 1), bars) +
                    "<p class=\"soft\">Partial dependence curves: the variate as a function of each of the top "
                    "features.</p>\n" +
                    shapes(model, v, k, top);
      panels += loadings_of(view, k);
      if (!shap.empty()) panels += shap_section(run, v, k, shap[static_cast<std::size_t>(v)]);
      panels += "</section>\n";
    }
    panels += "</div>\n</div>\n";
  }
  const std::string note =
      shown < model.n_components()
          ? fmt::format("<p class=\"soft\">The first {} of {} components.</p>\n", shown, model.n_components())
          : "";
  return fmt::format(
             "<section>\n<h2>Components</h2>\n<p class=\"soft\">Importance (percentage of {}) and partial dependence "
             "of the top features.{}</p>\n",
             gain_in_words(model),
             model.views[0].loadings.empty()
                 ? ""
                 : " In brackets the loading: the correlation of the feature with the variate. It is near 0 where the "
                   "relation is U-shaped.") +
         note + tabs + "</div>\n" + samples(run) + panels + "</section>\n";
}

}  // namespace treecca::report
