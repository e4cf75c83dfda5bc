// The samples as points: the data that the script draws, and the place where it draws them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "report/label_classes.hpp"
#include "report/sections.hpp"
#include "support/document.hpp"

namespace treecca::report {
namespace {

/// Every n-th sample is shown: the same samples in every report, without random numbers.
Index stride(Index n_samples) { return std::max<Index>(1, (n_samples + kMaxSamples - 1) / kMaxSamples); }

Index samples_of(const RunSummary& run) { return shown_variates(run).empty() ? 0 : shown_variates(run)[0].rows(); }

std::string view_options(const Model& model, std::size_t chosen) {
  std::string html;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    html += fmt::format("<option value=\"{}\"{}>{}</option>", v, v == chosen ? " selected" : "",
                        escaped(cut(model.views[v].name, 40)));
  }
  return html;
}

template <class Item>
std::string json_list(Index n, Item&& item) {
  std::string json = "[";
  for (Index i = 0; i < n; ++i) {
    if (i > 0) json += ",";
    json += item(i);
  }
  return json + "]";
}

}  // namespace

std::string samples(const RunSummary& run) {
  if (shown_variates(run).empty()) return "";
  const Model& model = run.result.model;
  const Index n = samples_of(run);
  const Index step = stride(n);
  std::string html = "<div>\n<p class=\"no-print\"><label>Across <select id=\"view-x\">" + view_options(model, 0) +
                     "</select></label> <label>up <select id=\"view-y\">" + view_options(model, 1) +
                     "</select></label></p>\n";
  html +=
      "<svg id=\"samples\" class=\"chart\" viewBox=\"0 0 460 360\" tabindex=\"0\" role=\"img\" aria-label=\"Samples; "
      "arrow keys "
      "go from one to the next\" aria-describedby=\"told\"></svg>\n<p id=\"told\" aria-live=\"polite\"></p>\n";
  html += "<noscript><p>The plot of the samples needs JavaScript.</p></noscript>\n";
  if (!run.labels.empty()) html += "<ul id=\"classes\" class=\"legend\"></ul>\n";
  if (step > 1) {
    html += fmt::format("<p class=\"soft\">{} of {} samples are shown.</p>\n",
                        count(static_cast<std::uint64_t>((n + step - 1) / step)), count(static_cast<std::uint64_t>(n)));
  }
  return html + "</div>\n";
}

std::string sample_data(const RunSummary& run) {
  const Model& model = run.result.model;
  const std::vector<Matrix<float>>& variates = shown_variates(run);
  const std::vector<float>& weights = run.result.weights;
  const auto n_views = static_cast<Index>(model.views.size());
  const Index n = samples_of(run);
  const Index step = stride(n);
  const Index shown = (n + step - 1) / step;
  const auto quoted = [](const std::string& text) { return json_text(text, /*inside_html=*/true); };
  const std::vector<std::string> labels = label_classes(run.labels);
  const auto text_of = [&](const std::vector<std::string>& texts, Index i) {
    return quoted(texts[static_cast<std::size_t>(i * step)]);
  };
  std::string json = "{\"views\":" +
                     json_list(n_views, [&](Index v) { return quoted(model.views[static_cast<std::size_t>(v)].name); });
  json += ",\"ids\":" + json_list(shown, [&](Index i) {
            return run.sample_ids.empty() ? quoted(fmt::format("sample {}", i * step + 1)) : text_of(run.sample_ids, i);
          });
  json += ",\"labels\":" + json_list(labels.empty() ? 0 : shown, [&](Index i) { return text_of(labels, i); });
  json += ",\"weights\":" + json_list(weights.empty() ? 0 : shown,
                                      [&](Index i) { return number(weights[static_cast<std::size_t>(i * step)], 4); });
  json += ",\"variates\":" + json_list(static_cast<Index>(variates.size()), [&](Index v) {
            const Matrix<float>& z = variates[static_cast<std::size_t>(v)];
            return json_list(z.cols(), [&](Index k) {
              return json_list(shown, [&](Index i) {
                const float value = z(i * step, k);
                return std::isfinite(value) ? number(value, 3) : std::string("null");
              });
            });
          });
  json += fmt::format(",\"kind\":\"{}\"}}", !run.result.out_of_fold.empty() ? "out of fold" : "in sample");
  return json;
}

}  // namespace treecca::report
