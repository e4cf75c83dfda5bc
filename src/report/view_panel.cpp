#include "report/view_panel.hpp"

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

constexpr std::size_t kTopBars = 7;
constexpr std::size_t kCurves = 3;
constexpr Index kRugLines = 100;

const std::string& name_of_feature(const ViewModel& view, Index feature) {
  return view.feature_names[static_cast<std::size_t>(feature)];
}

/// In units of the view box. Charts are as wide as their column, so that texts keep their size.
double column_width(std::size_t columns) { return columns == 3 ? 350 : 500; }

/// The most important features of a component with any importance, best first.
std::vector<FeatureShare> top_features_of(const Matrix<double>& importances, Index component) {
  std::vector<FeatureShare> top = ranked({importances.row(component), static_cast<std::size_t>(importances.cols())});
  top.resize(std::min(top.size(), kTopBars));
  std::erase_if(top, [](const FeatureShare& entry) { return !(entry.share > 0); });
  return top;
}

std::string importances_block(const ViewModel& view, Index component, const std::vector<FeatureShare>& top,
                              double width) {
  std::vector<Bar> bars;
  for (const FeatureShare& entry : top) {
    bars.push_back({name_of_feature(view, entry.feature), entry.share, ""});
    if (view.loadings.empty()) continue;
    const double loading = view.loadings.own(entry.feature, component);
    bars.back().note =
        view.is_category(entry.feature) ? fmt::format(" ({:.2f})", loading) : fmt::format(" ({:+.2f})", loading);
  }
  return "<figure>\n<h5>Importance</h5>\n" +
         importance_bars(fmt::format("Most important features of {} for component {}", view.name, component + 1), bars,
                         width) +
         "</figure>\n";
}

/// The features with the highest absolute loadings.
std::string loadings_block(const ViewModel& view, Index component, double width) {
  if (view.loadings.empty()) return "";
  const Loadings& loadings = view.loadings;
  std::vector<LoadingBar> bars;
  const auto size = [&](Index j) { return std::abs(loadings.own(j, component)); };
  for (const Index j : descending_order(loadings.own.rows(), size)) {
    if (bars.size() == kTopBars || loadings.own(j, component) == 0) break;
    const Interval interval = loading_interval(view, loadings.own, loadings.own_errors, j, component);
    LoadingBar& bar = bars.emplace_back();
    bar = {
        name_of_feature(view, j), loadings.own(j, component), interval.low, interval.high, !loadings.cross.empty(), 0};
    if (bar.has_cross) bar.cross = loadings.cross(j, component);
  }
  if (bars.empty()) return "";
  return "<figure>\n<h5>Loadings</h5>\n" +
         loadings_chart(fmt::format("Highest loadings of {} on component {}", view.name, component + 1), bars, width) +
         "</figure>\n";
}

/// The variate of each level of a category, highest first; of many levels, only the highest and lowest.
std::string levels_table(const std::string& feature, const ShapeCurve& curve, Index component) {
  constexpr std::size_t kMostLevels = 8;
  std::vector<std::size_t> order(curve.levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto value = [&](std::size_t level) { return curve.values(static_cast<Index>(level), component); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  std::vector<TableRow> rows;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const bool shown = order.size() <= kMostLevels || at < kMostLevels / 2 || at + kMostLevels / 2 >= order.size();
    if (shown) rows.push_back({{escaped(cut_middle(curve.levels[order[at]], 24)), fixed(value(order[at]), 2)}});
    if (!shown && rows.back().cells[1] != "…") {
      rows.push_back({{fmt::format("{} more", order.size() - kMostLevels), "…"}});
    }
  }
  return "<h5>" + escaped(cut_middle(feature, 34)) + "</h5>\n" + table({"Level", "Variate"}, rows);
}

/// The curves share their vertical axis, so that they can be compared.
std::string curves_block(const RunSummary& run, Index view, Index component, const std::vector<FeatureShare>& top,
                         const std::vector<Index>& rug) {
  const Model& model = run.result.model;
  const ViewModel& of = model.views[static_cast<std::size_t>(view)];
  std::vector<std::pair<Index, ShapeCurve>> curves;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t f = 0; f < top.size() && curves.size() < kCurves; ++f) {
    ShapeCurve curve = shape_curve(model, view, top[f].feature);
    if (curve.thresholds.empty() && curve.levels.empty()) continue;
    for (Index i = 0; i < curve.values.rows(); ++i) {
      low = std::min(low, curve.values(i, component));
      high = std::max(high, curve.values(i, component));
    }
    curves.emplace_back(top[f].feature, std::move(curve));
  }
  if (curves.empty()) return "";
  const double width = column_width(curves.size());
  std::string html = fmt::format("<div class=\"row n{}\">\n", curves.size());
  for (const auto& [feature, curve] : curves) {
    const std::string& name = name_of_feature(of, feature);
    html += "<figure>";
    if (!curve.levels.empty()) {
      html += levels_table(name, curve, component);
    } else {
      StepCurve drawn{name, "variate", curve.thresholds, {}, low, high, {}};
      for (Index i = 0; i < curve.values.rows(); ++i) drawn.values.push_back(curve.values(i, component));
      for (const Index row : rug) {
        const double value = run.data[static_cast<std::size_t>(view)].value(row, feature);
        if (std::isfinite(value)) drawn.rug.push_back(value);
      }
      std::sort(drawn.rug.begin(), drawn.rug.end());
      html +=
          step_chart(fmt::format("Variate {} of {} as a function of {}", component + 1, of.name, name), drawn, width);
    }
    html += "</figure>\n";
  }
  return html + "</div>\n";
}

}  // namespace

std::vector<ViewFacts> view_facts(const RunSummary& run) {
  const std::vector<Index> rows = explained_rows(run);
  std::vector<ViewFacts> facts;
  for (std::size_t v = 0; v < run.result.model.views.size(); ++v) {
    const auto view = static_cast<Index>(v);
    ViewFacts& of = facts.emplace_back();
    of.importances = component_importances(run.result.model, view, ImportanceKind::gain);
    if (!rows.empty()) of.shap = shap_values(run.result.model, view, in_rows(run.data[v], rows));
    if (run.data.empty()) continue;
    const Index n = run.data[v].rows(), step = std::max<Index>(1, (n + kRugLines - 1) / kRugLines);
    for (Index i = 0; i < n; i += step) of.rug.push_back(i);
  }
  return facts;
}

std::string view_panel(const RunSummary& run, Index view, Index component, const ViewFacts& facts) {
  const ViewModel& of = run.result.model.views[static_cast<std::size_t>(view)];
  const std::vector<FeatureShare> top = top_features_of(facts.importances, component);
  std::string html = fmt::format("<section class=\"view\">\n<h4>{}</h4>\n", escaped(cut_middle(of.name, 60)));
  const double width = column_width(facts.shap.values.empty() ? 2 : 3);
  std::vector<std::string> blocks;
  if (!top.empty()) blocks.push_back(importances_block(of, component, top, width));
  blocks.push_back(loadings_block(of, component, width));
  if (!facts.shap.values.empty()) blocks.push_back(shap_section(run, view, component, facts.shap));
  std::erase_if(blocks, [](const std::string& block) { return block.empty(); });
  if (top.empty()) html += remark("No tree of this view was split.");
  html += fmt::format("<div class=\"row n{}\">\n{}</div>\n", blocks.size(), fmt::join(blocks, ""));
  return html + curves_block(run, view, component, top, facts.rug) + "</section>\n";
}

}  // namespace treecca::report
