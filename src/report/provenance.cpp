// Inputs, parameters and times of the run, and the glossary.
#include <fmt/format.h>

#include <cmath>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "treecca/version.hpp"

namespace treecca::report {
namespace {

/// Samples of each view, and those that two views share.
std::string incomplete_samples(const RunSummary& run) {
  const Model& model = run.result.model;
  const std::size_t m = model.views.size();
  std::vector<std::string> header{"samples that have"};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t v = 0; v < m; ++v) {
    header.push_back(escaped(model.views[v].name));
    std::vector<std::string> row{escaped(model.views[v].name)};
    for (std::size_t w = 0; w < m; ++w) row.push_back(count(model.shared_samples[v * m + w]));
    rows.push_back(std::move(row));
  }
  return fmt::format(
             "<p class=\"soft\">{} samples, matched by {}; not all have all views. The table counts those that "
             "have a view (diagonal) and two views; correlations are those of the samples that have "
             "both.</p>\n",
             count(model.n_samples), run.inputs.by_id ? "sample id" : "their order") +
         table(header, rows, 1);
}

std::string inputs(const RunSummary& run) {
  const Model& model = run.result.model;
  const std::vector<InputView>& views = run.inputs.views;
  const bool from_files = !views.empty() && !views[0].source.empty();
  std::vector<std::string> header{"view", "rows", "dropped", "features"};
  if (from_files) header.insert(header.begin() + 1, "file");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const InputView from = v < views.size() ? views[v] : InputView{};
    const std::uint64_t given = from.rows > 0 ? from.rows : model.n_samples;
    std::vector<std::string> row{escaped(model.views[v].name), count(given), count(from.dropped),
                                 count(model.views[v].feature_names.size())};
    if (from_files) row.insert(row.begin() + 1, escaped(from.source));
    rows.push_back(std::move(row));
  }
  return table(header, rows, from_files ? 2 : 1) +
         (model.shared_samples.empty()
              ? fmt::format("<p class=\"soft\">{} samples are in all views, matched by {}.</p>\n",
                            count(model.n_samples), run.inputs.by_id ? "sample id" : "their order")
              : incomplete_samples(run)) +
         (model.shared_samples.empty() &&
                  std::llround(model.effective_samples) < static_cast<long long>(model.n_samples)
              ? fmt::format("<p class=\"soft\">With groups and weights, the effective number of samples is {}.</p>\n",
                            count(static_cast<std::uint64_t>(std::llround(model.effective_samples))))
              : std::string());
}

std::string parameters(const Model& model) {
  std::vector<std::vector<std::string>> rows;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (!declaration.affects_model) return;
    rows.push_back({"<code>" + escaped(declaration.name) + "</code>",
                    escaped(to_text(model.parameters, declaration.name)), escaped(declaration.help)});
  });
  return "<details>\n<summary>All parameters</summary>\n" + table({"parameter", "value", "meaning"}, rows, 9) +
         "</details>\n";
}

std::string timings(const RunSummary& run) {
  if (run.result.timings.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  double total = 0;
  for (const Stage& stage : run.result.timings) {
    rows.push_back({escaped(stage.name), number(stage.seconds, 2)});
    total += stage.seconds;
  }
  return fmt::format("<details>\n<summary>Time: {} s</summary>\n", number(total, total < 1 ? 2 : 1)) +
         table({"stage", "seconds"}, rows) + "</details>\n";
}

}  // namespace

std::string what_was_run(const RunSummary& run) {
  std::string html = "<section>\n<h2>What was run</h2>\n" + inputs(run) + parameters(run.result.model) + timings(run);
  if (!run.command.empty()) html += "<p>To repeat this run:</p>\n<pre>" + escaped(run.command) + "</pre>\n";
  return html + fmt::format(
                    "<p class=\"soft\">TreeCCA {}. The same data, parameters and seed give the same model, byte for "
                    "byte.</p>\n</section>\n",
                    version);
}

std::string glossary() {
  const std::vector<std::pair<const char*, const char*>> words{
      {"View", "One table: rows are samples, columns are features."},
      {"Component", "One dimension that the views share. Components are sorted by correlation and uncorrelated."},
      {"Variate", "The value of a sample on a component, computed from one view."},
      {"Canonical correlation",
       "Correlation of two views' variates; with more than two views, the mean over all pairs. Out of fold it can be "
       "negative."},
      {"Out-of-fold correlation", "Each sample is scored by fits without it: an estimate for new samples."},
      {"In-sample correlation", "The final model on the samples it was trained on; too high."},
      {"Total correlation (TCC)", "The sum over components; negative values count as 0."},
      {"Importance (gain)",
       "Percentage of the loss reduction due to a feature; for linear CCA, of the squared standardised coefficients. "
       "It has "
       "no direction; the curves do."},
      {"Partial dependence curve", "The variate as a function of one feature, averaged over the other features."}};
  std::string html = "<section>\n<details>\n<summary>Glossary</summary>\n<dl>\n";
  for (const auto& [word, meaning] : words) html += fmt::format("<dt><b>{}</b></dt><dd>{}</dd>\n", word, meaning);
  return html + "</dl>\n</details>\n</section>\n";
}

}  // namespace treecca::report
