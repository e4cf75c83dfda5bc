// Per component: the samples, the features that drive it in every view, and their effects.
#include <fmt/format.h>

#include <algorithm>

#include "report/html.hpp"
#include "report/pairs.hpp"
#include "report/ranking.hpp"
#include "report/sections.hpp"
#include "report/view_panel.hpp"

namespace treecca::report {
namespace {

constexpr Index kMaxComponents = 20;  // with details, to limit the length of the report
constexpr std::size_t kPairsInHeading = 3;

double shown_correlation(const Model& model, Index component) {
  const Correlations& all = model.correlations;
  return (all.out_of_fold.empty() ? all.in_sample : all.out_of_fold)[static_cast<std::size_t>(component)];
}

std::string tab(const Model& model, Index component) {
  const bool above = is_above_noise(model, component);
  return fmt::format(
      "<button type=\"button\" role=\"tab\" id=\"tab-{0}\" aria-controls=\"panel-{0}\" aria-selected=\"{1}\"{2}>{3} "
      "<span class=\"number\">{4}</span>{5}</button>\n",
      component, component == 0 ? "true" : "false", above ? "" : " class=\"below\"", component_name(component),
      fixed(shown_correlation(model, component), 2), above ? "" : noise_chip());
}

/// "Component 1: out-of-fold correlation 0.93"; for more than two views, also the pairs that share the component.
std::string panel_heading(const Model& model, Index component) {
  const bool out_of_fold = !model.correlations.out_of_fold.empty();
  const bool many = model.views.size() > 2;
  std::string html =
      fmt::format("<h3>Component {}: {}{} correlation {}{}</h3>\n", component + 1, many ? "mean " : "",
                  out_of_fold ? "out-of-fold" : "in-sample", fixed(shown_correlation(model, component), 2),
                  is_above_noise(model, component) ? "" : noise_chip());
  if (many && out_of_fold) {
    html += remark("Pairs of views above noise: " + escaped(shared_pairs_in_words(model, component, kPairsInHeading)) +
                   ".");
  }
  return html;
}

/// Explains the charts of all panels once.
std::string how_to_read(const RunSummary& run) {
  const Model& model = run.result.model;
  std::string text = fmt::format("<b>Importance</b>: percentage of {}", gain_in_words(model));
  if (!model.views[0].loadings.empty()) {
    text +=
        "; in brackets the loading. <b>Loading</b>: correlation of the feature with the variate, with its 95% "
        "interval; near 0 for a U-shaped relation";
    if (!model.views[0].loadings.cross.empty()) text += "; grey mark: with the variates of the other views";
  }
  text +=
      ". <b>Curves</b> (partial dependence): the variate as a function of one feature, averaged over the others. "
      "The curves of a view share one vertical scale";
  if (!run.data.empty()) text += "; short lines on the axis: values of the feature in the data";
  text += ".";
  if (const std::vector<Index> rows = explained_rows(run); !rows.empty()) {
    const auto all = static_cast<std::size_t>(run.data[0].rows());
    text += fmt::format(
        " <b>SHAP values</b>: one point per sample ({}, in-sample), at the contribution of the feature to its variate; "
        "blue: low value of the feature, red: high, grey: missing; at the right the mean absolute contribution.",
        rows.size() < all ? fmt::format("{} of {} samples, evenly spaced", rows.size(), count(all))
                          : fmt::format("{} samples", all));
  }
  return remark(text);
}

}  // namespace

std::string components(const RunSummary& run) {
  const Model& model = run.result.model;
  const Index shown = std::min(model.n_components(), kMaxComponents);
  const std::vector<ViewFacts> facts = view_facts(run);
  std::string tabs = "<div class=\"chooser\" role=\"tablist\" aria-label=\"Components\">\n";
  std::string panels;
  for (Index k = 0; k < shown; ++k) {
    tabs += tab(model, k);
    panels += fmt::format("<div role=\"tabpanel\" id=\"panel-{0}\" aria-labelledby=\"tab-{0}\"{1}>\n", k,
                          is_above_noise(model, k) ? "" : " class=\"below\"") +
              "<div class=\"head\">\n" + panel_heading(model, k) + plain_samples(run, k) + "</div>\n";
    for (std::size_t v = 0; v < facts.size(); ++v) panels += view_panel(run, static_cast<Index>(v), k, facts[v]);
    panels += "</div>\n";
  }
  return "<section class=\"page\">\n<h2>Components</h2>\n" + how_to_read(run) +
         (shown < model.n_components()
              ? remark(fmt::format("The first {} of {} components.", shown, model.n_components()))
              : "") +
         tabs + "</div>\n" + samples(run) + panels + "</section>\n";
}

}  // namespace treecca::report
