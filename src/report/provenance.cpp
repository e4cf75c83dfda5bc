// Inputs, parameters and times of the run, and the glossary.
#include <fmt/format.h>

#include <cmath>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "treecca/screen.hpp"
#include "treecca/version.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kNameInTable = 32;

/// Numbers of samples of each view, and of each pair of views.
std::string incomplete_samples(const RunSummary& run) {
  const Model& model = run.result.model;
  const std::size_t m = model.views.size();
  std::vector<std::string> header{"samples that have"};
  std::vector<TableRow> rows;
  for (std::size_t v = 0; v < m; ++v) {
    const std::string name = escaped(cut_middle(model.views[v].name, kNameInTable));
    header.push_back(name);
    std::vector<std::string> row{name};
    for (std::size_t w = 0; w < m; ++w) row.push_back(count(model.shared_samples[v * m + w]));
    rows.push_back({std::move(row)});
  }
  return remark(fmt::format(
             "{} samples, matched by {}; some lack a view. The table counts the samples that have a view (diagonal) or "
             "both of two views. Each correlation uses the samples that have both views.",
             count(model.n_samples), run.inputs.by_id ? "sample id" : "row order")) +
         table(header, rows);
}

std::string inputs(const RunSummary& run) {
  const Model& model = run.result.model;
  const std::vector<InputView>& views = run.inputs.views;
  const bool from_files = !views.empty() && !views[0].source.empty();
  std::vector<std::string> header{"view", "rows", "dropped", "features"};
  if (from_files) header.insert(header.begin() + 1, "file");
  std::vector<TableRow> rows;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const InputView from = v < views.size() ? views[v] : InputView{};
    const std::uint64_t given = from.rows > 0 ? from.rows : model.n_samples;
    std::vector<std::string> row{escaped(cut_middle(model.views[v].name, kNameInTable)), count(given),
                                 count(from.dropped), count(model.views[v].feature_names.size())};
    if (from_files) row.insert(row.begin() + 1, escaped(cut_middle(from.source, kNameInTable)));
    rows.push_back({std::move(row)});
  }
  std::string html = table(header, rows, from_files ? 2 : 1);
  if (!model.shared_samples.empty()) return html + incomplete_samples(run);
  html += remark(fmt::format("{} samples are in all views, matched by {}.", count(model.n_samples),
                             run.inputs.by_id ? "sample id" : "row order"));
  const long long effective = std::llround(model.effective_samples);
  if (effective < static_cast<long long>(model.n_samples)) {
    html += remark(fmt::format("With groups and weights, the effective number of samples is {}.",
                               count(static_cast<std::uint64_t>(effective))));
  }
  return html;
}

std::string screened_features(const Model& model) {
  const std::vector<std::string> lines = screening_summary(model);
  if (lines.empty()) return "";
  std::string html = "<div>\n<h3>Features kept by screening</h3>\n<ul>\n";
  for (const std::string& line : lines) html += "<li>" + escaped(line) + "</li>\n";
  return html + "</ul>\n" +
         remark(
             "The trees use only features that depend on a feature of another view. Screening can miss "
             "interactions; compare with a fit without it.") +
         "</div>\n";
}

std::string parameters(const Model& model) {
  std::vector<TableRow> rows;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (!declaration.affects_model) return;
    rows.push_back({{"<code>" + escaped(declaration.name) + "</code>",
                     escaped(to_text(model.parameters, declaration.name)), escaped(declaration.help)}});
  });
  return "<details class=\"no-print\">\n<summary>All parameters</summary>\n" +
         table({"parameter", "value", "meaning"}, rows, 9) + "</details>\n";
}

std::string timings(const RunSummary& run) {
  if (run.result.timings.empty()) return "";
  std::vector<TableRow> rows;
  double total = 0;
  for (const Stage& stage : run.result.timings) {
    rows.push_back({{escaped(stage.name), fixed(stage.seconds, 2)}});
    total += stage.seconds;
  }
  return fmt::format("<details class=\"no-print\">\n<summary>Time: {} s</summary>\n",
                     number(total, total < 1 ? 2 : 1)) +
         table({"stage", "seconds"}, rows) + "</details>\n";
}

}  // namespace

std::string what_was_run(const RunSummary& run) {
  const Model& model = run.result.model;
  std::string html = "<section>\n<h2>Inputs and settings</h2>\n<div class=\"pair\">\n<div>\n" + inputs(run);
  if (!run.command.empty()) html += "<p>To repeat this run:</p>\n<pre>" + escaped(run.command) + "</pre>\n";
  html += remark(
      fmt::format("TreeCCA {}. The same data, parameters and seed give the same model, byte for byte.", version));
  return html + "</div>\n" + screened_features(model) + "</div>\n" + parameters(model) + timings(run) + "</section>\n";
}

std::string glossary() {
  const std::vector<std::pair<const char*, const char*>> words{
      {"View", "One table: rows are samples, columns are features."},
      {"Component", "One dimension that the views share. Components are sorted by correlation and uncorrelated."},
      {"Variate", "The value of a sample on a component, computed from one view."},
      {"Canonical correlation",
       "Correlation of two views' variates; with more than two views, the mean over all pairs. It can be negative "
       "out-of-fold."},
      {"Out-of-fold correlation", "Each sample is scored by fits without it: an estimate for new samples."},
      {"In-sample correlation", "The final model on the samples it was trained on; too high."},
      {"95% interval",
       "For a component above noise: covers the correlation of this model on new samples in about 95% of fits."},
      {"Noise threshold", "Out-of-fold correlation that a component rarely exceeds if the views share nothing."},
      {"Total correlation (TCC)", "The sum of the correlations of all components; negative values count as 0."},
      {"Importance (gain)",
       "Percentage of the loss reduction due to a feature; for linear CCA, of the squared standardised coefficients. "
       "It has no direction."},
      {"Loading", "Correlation of a feature with a variate."},
      {"Partial dependence curve", "The variate as a function of one feature, averaged over the other features."},
      {"SHAP value", "Contribution of a feature to the variate of one sample; the contributions add up to it."}};
  std::string html = "<section class=\"no-print\">\n<details>\n<summary>Glossary</summary>\n<dl>\n";
  for (const auto& [word, meaning] : words) html += fmt::format("<dt><b>{}</b></dt><dd>{}</dd>\n", word, meaning);
  return html + "</dl>\n</details>\n</section>\n";
}

}  // namespace treecca::report
