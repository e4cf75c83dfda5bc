// The top of the report: title, verdict, facts, warnings.
#include <fmt/format.h>

#include <algorithm>

#include "report/html.hpp"
#include "report/sections.hpp"
#include "report/summary.hpp"
#include "support/text.hpp"
#include "treecca/metrics.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kTitleNames = 40;

/// One sentence that begins with its number.
std::string verdict_line(const std::string& number, const std::string& sentence, const char* style = "") {
  return fmt::format("<li{}><b>{}</b> {}</li>\n", style, escaped(number), escaped(sentence));
}

std::string verdict(const Model& model) {
  const Correlations& found = model.correlations;
  const std::string linear = linear_name(model);
  std::string html = "<ul class=\"verdict\">\n";
  if (found.out_of_fold.empty()) {
    html += verdict_line(fixed(total_correlation(found.in_sample), 2),
                         "is the in-sample total correlation (TCC), which is too high for new samples.");
    if (!found.linear_in_sample.empty()) {
      html += verdict_line(fixed(total_correlation(found.linear_in_sample), 2),
                           fmt::format("is the in-sample TCC of {}.", linear), " class=\"linear\"");
    }
    return html + "</ul>\n" +
           remark(
               "The model was fitted without cross-fitting, so the correlation on new samples is not known. Set "
               "<code>cross_fit</code> to estimate it.");
  }
  const std::vector<bool> above = model.found();
  const auto count_above = std::count(above.begin(), above.end(), true);
  const bool none = count_above == 0;
  std::string first = std::string(model.n_components() == 1 ? "component" : "components") +
                      (count_above == 1 ? " is above noise." : " are above noise.");
  if (!can_tell_noise(model.effective_samples)) {
    first = "components are above noise: there are too few independent samples or groups to tell.";
  } else if (none) {
    first = "components are above noise: the relation between the views is not distinguishable from chance.";
  }
  html +=
      verdict_line(fmt::format("{} of {}", count_above, model.n_components()), first, none ? " class=\"none\"" : "");
  html +=
      verdict_line(fixed(total_correlation(found.out_of_fold), 2),
                   fmt::format("is the out-of-fold total correlation (TCC); the maximum is {}.", model.n_components()),
                   none ? " class=\"none\"" : "");
  if (!found.linear_out_of_fold.empty()) {
    html += verdict_line(fixed(total_correlation(found.linear_out_of_fold), 2),
                         fmt::format("is the TCC of {} on the same folds.", linear), " class=\"linear\"");
  }
  html += "</ul>\n";
  if (const std::string sentence = blend_sentence(model); !sentence.empty()) html += remark(escaped(sentence));
  if (const std::string sentence = covariates_sentence(model); !sentence.empty()) html += remark(escaped(sentence));
  return html;
}

std::string facts(const Model& model) {
  std::vector<std::string> features;
  for (const ViewModel& view : model.views) {
    features.push_back(fmt::format("{} {}", cut_middle(view.name, kTitleNames), count(view.feature_names.size())));
  }
  std::string text = fmt::format("{} samples. Features: {}.", count(model.n_samples), fmt::join(features, ", "));
  const std::size_t parts = model.views[0].parts.size();
  if (model.rounds > 0 && parts > 1) text += fmt::format(" {} parts of up to {} rounds.", parts, count(model.rounds));
  if (model.rounds > 0 && parts <= 1) text += fmt::format(" {} rounds.", count(model.rounds));
  return remark(escaped(text));
}

}  // namespace

std::string linear_name(const Model& model) { return model.views.size() > 2 ? "linear MCCA" : "linear CCA"; }

std::string title(const Model& model) {
  std::vector<std::string> names;
  for (const ViewModel& view : model.views) names.push_back(cut_middle(view.name, kTitleNames));
  return "TreeCCA of " + listed(names);
}

std::string overview(const RunSummary& run) {
  const Model& model = run.result.model;
  std::string html =
      fmt::format("<header>\n<h1>{}</h1>\n", escaped(title(model))) + verdict(model) + facts(model) + "</header>\n";
  if (run.result.warnings.empty()) return html;
  html += "<section class=\"warnings\" aria-label=\"Warnings\">\n<ul>\n";
  for (const std::string& warning : run.result.warnings) html += "<li>" + escaped(warning) + "</li>\n";
  return html + "</ul>\n</section>\n";
}

}  // namespace treecca::report
