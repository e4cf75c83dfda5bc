// The correlations as a chart and tables, and the course of training.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/pairs.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"
#include "treecca/intervals.hpp"
#include "treecca/loadings.hpp"
#include "treecca/metrics.hpp"

namespace treecca::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostBars = 40;     // components in the chart
constexpr std::size_t kMostColumns = 10;  // components in the tables of pairs and of variance

double number_at(const std::vector<double>& numbers, std::size_t k) { return k < numbers.size() ? numbers[k] : kNone; }

std::vector<CorrelationRow> correlation_rows(const Model& model) {
  const Correlations& found = model.correlations;
  const bool out_of_fold = !found.out_of_fold.empty();
  const std::vector<Interval> intervals = correlation_intervals(model).per_component;
  std::vector<CorrelationRow> rows;
  for (Index c = 0; c < model.n_components(); ++c) {
    const auto k = static_cast<std::size_t>(c);
    rows.push_back({component_name(c), number_at(found.out_of_fold, k),
                    k < intervals.size() ? intervals[k] : Interval{kNone, kNone}, number_at(found.noise_thresholds, k),
                    number_at(found.in_sample, k),
                    number_at(out_of_fold ? found.linear_out_of_fold : found.linear_in_sample, k),
                    is_above_noise(model, c)});
  }
  return rows;
}

std::string key(const char* style, const std::string& text) {
  return fmt::format("<li><span class=\"key {}\"></span>{}</li>", style, escaped(text));
}

std::string chart_of(const Model& model, std::vector<CorrelationRow> rows) {
  const bool out_of_fold = !model.correlations.out_of_fold.empty();
  std::string html = "<ul class=\"legend\">";
  if (out_of_fold) {
    html += key("out-of-fold", "out-of-fold");
    if (std::isfinite(rows[0].interval.low)) html += key("line", "95% interval");
    html += key("dash noise-key", "noise threshold") + key("tick-key", "in-sample");
  } else {
    html += key("in-sample", "in-sample");
  }
  html += key("linear", linear_name(model) + (out_of_fold ? ", out-of-fold" : ", in-sample")) + "</ul>\n";
  const std::size_t all = rows.size();
  if (all > kMostBars) rows.resize(kMostBars);
  html += correlation_chart("Canonical correlations per component", rows);
  if (all > kMostBars) html += remark(fmt::format("The first {} of {} components.", kMostBars, all));
  return html;
}

std::string table_of(const Model& model, const std::vector<CorrelationRow>& rows) {
  const Correlations& found = model.correlations;
  const bool out_of_fold = !found.out_of_fold.empty();
  const std::string linear = escaped(linear_name(model));
  std::vector<std::string> header{"component"};
  std::vector<TableRow> lines;
  TableRow total{{"total (TCC)"}, "total"};
  if (out_of_fold) {
    header.insert(header.end(), {"out-of-fold", "95% interval", "noise threshold", "in-sample", linear});
    total.cells.insert(total.cells.end(),
                       {"<b>" + fixed(total_correlation(found.out_of_fold)) + "</b>", "", "",
                        fixed(total_correlation(found.in_sample)), fixed(total_correlation(found.linear_out_of_fold))});
  } else {
    header.insert(header.end(), {"in-sample", linear + ", in-sample"});
    total.cells.insert(total.cells.end(),
                       {fixed(total_correlation(found.in_sample)), fixed(total_correlation(found.linear_in_sample))});
  }
  for (const CorrelationRow& row : rows) {
    TableRow& line = lines.emplace_back();
    line.cells.push_back(row.label + (row.above_noise ? "" : noise_chip()));
    if (!row.above_noise) line.style = "below";
    if (out_of_fold) {
      const bool known = std::isfinite(row.interval.low);
      line.cells.push_back("<b>" + fixed(row.out_of_fold) + "</b>");
      line.cells.push_back(known ? fixed(row.interval.low, 2) + " to " + fixed(row.interval.high, 2) : fixed(kNone));
      line.cells.push_back(fixed(row.noise_threshold));
    }
    line.cells.push_back(fixed(row.in_sample));
    line.cells.push_back(fixed(row.linear));
  }
  lines.push_back(std::move(total));
  return table(header, lines);
}

/// A row per pair of views, a column per component; last their mean, the correlation of the component.
std::string pairs_block(const Model& model) {
  const Correlations& found = model.correlations;
  const auto k = static_cast<std::size_t>(model.n_components());
  const std::size_t m = model.views.size(), shown = std::min(k, kMostColumns);
  if (m < 3 || found.pairwise.size() != m * m * k) return "";
  const std::vector<bool> above = model.found_pairs();
  const std::vector<Interval> intervals = correlation_intervals(model).pairwise;
  std::vector<std::string> header{"pair of views"};
  for (std::size_t c = 0; c < shown; ++c) header.push_back(component_name(static_cast<Index>(c)));
  std::vector<TableRow> rows;
  for (const ViewPair& pair : view_pairs(m, k)) {
    std::vector<std::string>& cells = rows.emplace_back().cells;
    cells.push_back(escaped(cut_middle(model.views[pair.first].name, 24)) + " and " +
                    escaped(cut_middle(model.views[pair.second].name, 24)));
    for (std::size_t c = 0; c < shown; ++c) {
      const std::size_t at = pair.at + c;
      std::string cell = fixed(found.pairwise[at], 2) + (above.empty() || above[at] ? "" : "&nbsp;*");
      if (at < intervals.size()) {
        cell += fmt::format("<small>{} to {}</small>", fixed(intervals[at].low, 2), fixed(intervals[at].high, 2));
      }
      const bool below = !above.empty() && !above[at];
      cells.push_back(below ? "<span class=\"below\">" + cell + "</span>" : cell);
    }
  }
  const std::vector<double>& means = found.out_of_fold.empty() ? found.in_sample : found.out_of_fold;
  TableRow mean{{"mean of the pairs"}, "total"};
  for (std::size_t c = 0; c < shown; ++c) mean.cells.push_back(fixed(number_at(means, c), 2));
  rows.push_back(std::move(mean));
  return "<div>\n<h3>Pairs of views</h3>\n" + table(header, rows) +
         remark(std::string(above.empty()
                                ? "In-sample correlations."
                                : "Out-of-fold correlations with 95% intervals; * below the noise threshold of "
                                  "the pair.") +
                (shown < k ? fmt::format(" The first {} of {} components.", shown, k) : "")) +
         "</div>\n";
}

/// Per component and view: the variance that the view's own variate and the other views' variates explain.
std::string variance_block(const Model& model) {
  if (model.views[0].loadings.cross.empty()) return "";
  std::vector<std::string> header{"view", "variate"};
  std::vector<TableRow> rows;
  const std::size_t k = static_cast<std::size_t>(model.n_components()), shown = std::min(k, kMostColumns);
  for (std::size_t c = 0; c < shown; ++c) header.push_back(component_name(static_cast<Index>(c)));
  for (Index v = 0; v < static_cast<Index>(model.views.size()); ++v) {
    const std::string name = escaped(cut_middle(model.views[static_cast<std::size_t>(v)].name, 24));
    for (const bool own : {true, false}) {
      std::vector<std::string>& cells = rows.emplace_back().cells;
      cells = {own ? name : "", own ? "own" : "other views"};
      const std::vector<double> shares = own ? explained_variance(model, v) : redundancy(model, v);
      for (std::size_t c = 0; c < shown; ++c) cells.push_back(escaped(short_percent(shares[c])));
    }
  }
  return "<div>\n<h3>Variance explained</h3>\n" + table(header, rows, 2) +
         remark(
             "Percentage of a view's variance that a component explains linearly: by the view's own variate, and by "
             "the variates of the other views (redundancy).") +
         "</div>\n";
}

std::string reading_advice(const Model& model) {
  if (model.correlations.out_of_fold.empty()) {
    return remark("In-sample correlations are too high: they are measured on the samples the model was fitted to.");
  }
  std::string text =
      "Report the out-of-fold correlations: each sample is scored by fits without it. In-sample correlations are too "
      "high. Negative values count as 0 in the total. A component below its noise threshold is not distinguishable "
      "from noise.";
  if (model.views.size() > 2) {
    text +=
        " With more than two views, the correlation of a component is the mean over all pairs of views, and a "
        "component "
        "is also above noise if one pair is above its own threshold.";
  }
  return remark(text);
}

/// Total correlation by round; empty for linear CCA alone, which has no rounds.
std::string training_block(const Model& model) {
  const History& history = model.history;
  if (history.tcc.empty()) return "";
  const bool out_of_fold = !model.correlations.out_of_fold.empty();
  std::vector<Curve> curves;
  if (out_of_fold) curves.push_back({"out-of-fold", "out-of-fold", history.round, history.tcc});
  if (!history.train_tcc.empty()) curves.push_back({"in-sample", "in-sample", history.round, history.train_tcc});
  const double linear =
      total_correlation(out_of_fold ? model.correlations.linear_out_of_fold : model.correlations.linear_in_sample);
  const bool stopped = !history.loss.empty() && static_cast<double>(model.rounds) < history.round.back();
  const bool parts = history.loss.empty();  // see History
  return "<div>\n<h3>Training</h3>\n" +
         training_chart("Total correlation by round", curves,
                        linear_name(model) + (out_of_fold ? ", out-of-fold" : ", in-sample"),
                        parts ? std::nan("") : linear, stopped ? static_cast<double>(model.rounds) : 0) +
         remark(parts ? "Total correlation of the trees inside one part, mean over the parts: it shows when training "
                        "levels off. Do not "
                        "compare it with the total above, which describes the whole model."
                      : "Total correlation after each round.") +
         "</div>\n";
}

}  // namespace

std::string component_name(Index component) { return fmt::format("cc{}", component + 1); }

bool is_above_noise(const Model& model, Index component) {
  const std::vector<bool> above = model.found();
  const auto k = static_cast<std::size_t>(component);
  return k >= above.size() || above[k];  // nothing is known without cross-fitting
}

std::string noise_chip() { return " <span class=\"chip\">below noise</span>"; }

std::string correlations(const Model& model) {
  const std::vector<CorrelationRow> rows = correlation_rows(model);
  const std::string pairs = pairs_block(model), training = training_block(model), variance = variance_block(model);
  // Two columns of about the same height; tables of many views or components have the whole width, below them.
  const bool large = !pairs.empty() && (model.views.size() > 3 || model.n_components() > 5);
  const bool training_first = variance.empty() || (!pairs.empty() && !large);
  const std::string left = large || training_first ? training : variance;
  const std::string right = large ? "" : training_first ? pairs + variance : training;
  return "<section>\n<h2>Correlations</h2>\n<div class=\"pair\">\n<div>\n" + chart_of(model, rows) +
         reading_advice(model) + left + "</div>\n<div>\n" + table_of(model, rows) + right + "</div>\n</div>\n" +
         (large ? pairs + variance : "") + "</section>\n";
}

}  // namespace treecca::report
