// The result: the sentence at the top, correlations and curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/pairs.hpp"
#include "report/sections.hpp"
#include "report/summary.hpp"
#include "support/text.hpp"
#include "treecca/intervals.hpp"
#include "treecca/loadings.hpp"
#include "treecca/metrics.hpp"
#include "treecca/screen.hpp"

namespace treecca::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> view_names(const Model& model) {
  std::vector<std::string> names;
  for (const ViewModel& view : model.views) names.push_back(view.name);
  return names;
}

std::string card(const std::string& value, const std::string& meaning) {
  return fmt::format("<li><b>{}</b>{}</li>\n", escaped(value), escaped(meaning));
}

/// The result in one sentence.
std::string verdict(const Model& model) {
  const Correlations& found = model.correlations;
  const std::string linear = model.views.size() > 2 ? "linear MCCA" : "linear CCA";
  if (found.out_of_fold.empty()) {
    return fmt::format(
        "In-sample total correlation {} ({}: {}). The model was fitted without cross-fitting, so the correlation on "
        "new "
        "samples is not known.",
        number(total_correlation(found.in_sample), 2), linear, number(total_correlation(found.linear_in_sample), 2));
  }
  const std::vector<bool> above = model.found();
  return fmt::format("{} of {} components are above noise; out-of-fold total correlation {} ({}: {}). {}",
                     std::count(above.begin(), above.end(), true), model.n_components(),
                     number(total_correlation(found.out_of_fold), 2), linear,
                     number(total_correlation(found.linear_out_of_fold), 2), blend_sentence(model)) +
         (model.covariates.empty() ? "" : " " + covariates_sentence(model));
}

/// Per component and view: variance that the view's own variate explains, and that of the other views.
std::string explained_table(const Model& model) {
  if (model.views[0].loadings.cross.empty()) return "";
  std::vector<std::string> header{"component"};
  std::vector<std::vector<std::string>> rows;
  for (Index k = 0; k < model.n_components(); ++k) rows.push_back({std::to_string(k + 1)});
  for (Index v = 0; v < static_cast<Index>(model.views.size()); ++v) {
    const std::string name = escaped(cut(model.views[static_cast<std::size_t>(v)].name, 30));
    header.push_back(name + ", own variate");
    header.push_back(name + ", other views");
    const std::vector<double> own = explained_variance(model, v), other = redundancy(model, v);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows[k].push_back(number(100 * own[k], 1) + " %");
      rows[k].push_back(number(100 * other[k], 1) + " %");
    }
  }
  return "<h3>Variance explained</h3>\n" + table(header, rows) +
         "<p class=\"soft\">Mean squared loading and cross-loading of a view's features: the percentage of its "
         "variance that a component explains linearly, from the variate of the view itself and from that of the other "
         "views (redundancy).</p>\n";
}

}  // namespace

std::string title(const Model& model) { return "TreeCCA of " + listed(view_names(model)); }

std::string overview(const RunSummary& run) {
  const Model& model = run.result.model;
  std::string html = fmt::format("<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<ul class=\"cards\">\n",
                                 escaped(title(model)), escaped(verdict(model)));
  html += card(count(model.n_samples), "samples");
  for (const ViewModel& view : model.views) {
    html += card(count(view.feature_names.size()), "features of " + cut(view.name, 30));
  }
  html += card(count(static_cast<std::uint64_t>(model.n_components())), "components");
  if (model.rounds > 0) html += card(count(model.rounds), "rounds");
  html += "</ul>\n";
  const std::vector<std::string> screened = screening_summary(model);
  if (!screened.empty()) {
    html +=
        "<p class=\"soft\">Features were screened: trees use only those that depend most on a feature of another view. "
        "Screening can miss interactions; compare with a fit without it.</p>\n<ul>\n";
    for (const std::string& line : screened) html += "<li>" + escaped(line) + "</li>\n";
    html += "</ul>\n";
  }
  if (!run.result.warnings.empty()) {
    html += "<section class=\"warnings\" aria-label=\"Warnings\">\n<ul>\n";
    for (const std::string& warning : run.result.warnings) html += "<li>" + escaped(warning) + "</li>\n";
    html += "</ul>\n</section>\n";
  }
  return html;
}

std::string correlations(const Model& model) {
  const Correlations& found = model.correlations;
  const bool out_of_fold = !found.out_of_fold.empty();
  std::vector<Series> series;
  if (out_of_fold) series.push_back({"out-of-fold", "out-of-fold", found.out_of_fold});
  series.push_back({"in-sample", "in-sample", found.in_sample});
  series.push_back(out_of_fold ? Series{"linear, out-of-fold", "linear", found.linear_out_of_fold}
                               : Series{"linear, in-sample", "linear", found.linear_in_sample});
  std::vector<std::string> header{"component"};
  std::vector<std::string> sums{"total"};
  const std::vector<bool> above = model.found();
  const std::vector<Interval> intervals = correlation_intervals(model).per_component;
  const bool many = model.views.size() > 2;
  constexpr std::size_t kNamedPairs = 6;
  std::vector<std::vector<std::string>> rows;
  for (const Series& one : series) {
    header.push_back(escaped(one.label));
    sums.push_back(fixed(total_correlation(one.values)));
  }
  for (Index k = 0; k < model.n_components(); ++k) {
    std::vector<std::string> row{std::to_string(k + 1)};
    for (const Series& one : series) {
      row.push_back(fixed(static_cast<std::size_t>(k) < one.values.size() ? one.values[k] : kNone));
    }
    if (out_of_fold) {
      const auto at = static_cast<std::size_t>(k);
      row.push_back(at < intervals.size() ? fmt::format("{} to {}", fixed(intervals[at].low), fixed(intervals[at].high))
                                          : fixed(kNone));
      row.push_back(fixed(found.standard_errors[at]));
      row.push_back(fixed(found.noise_thresholds[at]));
      row.push_back(above[at] ? "yes" : "no");
      if (many) row.push_back(escaped(shared_pairs_in_words(model, k, kNamedPairs)));
    }
    rows.push_back(std::move(row));
  }
  if (out_of_fold) {
    header.insert(header.end(), {"95 % interval", "standard error",
                                 many ? "noise threshold of the mean" : "noise threshold", "above noise"});
    if (many) header.push_back("pairs above noise");
    sums.resize(header.size());
  }
  rows.push_back(std::move(sums));
  return "<section>\n<h2>Correlations</h2>\n" + grouped_bars("Canonical correlations per component", series) +
         table(header, rows) +
         (out_of_fold
              ? "<p class=\"soft\">Report the out-of-fold correlations: each sample is scored by fits without it. "
                " In-sample correlations are too high. Negative values count as 0 in the total.</p>\n"
              : "<p class=\"soft\">In-sample correlations are too high: they are measured on the samples the model was "
                "fitted to.</p>\n") +
         explained_table(model) + "</section>\n";
}

std::string curves(const Model& model) {
  const bool out_of_fold = !model.correlations.out_of_fold.empty();
  std::vector<Series> series;
  if (model.history.tcc.empty()) return "";  // linear CCA alone has no rounds
  if (out_of_fold) series.push_back({"out-of-fold", "out-of-fold", model.history.tcc});
  if (!model.history.train_tcc.empty()) series.push_back({"in-sample", "in-sample", model.history.train_tcc});
  const double linear =
      total_correlation(out_of_fold ? model.correlations.linear_out_of_fold : model.correlations.linear_in_sample);
  const bool stopped = !model.history.loss.empty() && model.rounds < model.history.tcc.size();
  const bool every_round = model.history.round.back() == static_cast<double>(model.history.round.size());
  return "<section>\n<h2>Training</h2>\n" +
         line_chart(every_round ? "Total correlation after every round"
                                : fmt::format("Total correlation inside the parts, every {:.0f} rounds",
                                              model.history.round.front()),
                    series, {out_of_fold ? "linear, out-of-fold" : "linear, in-sample", "linear", {linear}},
                    stopped ? static_cast<double>(model.rounds) : 0) +
         "</section>\n";
}

}  // namespace treecca::report
