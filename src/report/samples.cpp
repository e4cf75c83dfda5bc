// The samples as points: what the script draws and the place where it does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "report/sections.hpp"

namespace treecca::report {
namespace {

/// Every n-th sample, so that the order of the file does not matter much and the choice needs no chance.
Index stride(const ReportSource& source) {
  return source.variates.empty() ? 1 : (source.variates[0].rows() + kMaxSamples - 1) / kMaxSamples;
}

std::string view_options(const Model& model, std::size_t chosen) {
  std::string html;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    html += fmt::format("<option value=\"{}\"{}>{}</option>", v, v == chosen ? " selected" : "",
                        escaped(shortened(model.views[v].name, 40)));
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

std::string samples(const Model& model, const ReportSource& source) {
  if (source.variates.empty()) return "";
  const Index n = source.variates[0].rows();
  const Index step = std::max<Index>(1, stride(source));
  std::string html = "<div>\n<p class=\"no-print\"><label>Across <select id=\"view-x\">" + view_options(model, 0) +
                     "</select></label> <label>up <select id=\"view-y\">" + view_options(model, 1) +
                     "</select></label></p>\n";
  html +=
      "<svg id=\"samples\" class=\"chart\" viewBox=\"0 0 460 360\" tabindex=\"0\" role=\"img\" aria-label=\"Samples; "
      "arrow keys "
      "go from one to the next\" aria-describedby=\"told\"></svg>\n<p id=\"told\" aria-live=\"polite\"></p>\n";
  html += "<noscript><p>The samples are drawn by a script, which this viewer does not run.</p></noscript>\n";
  if (!source.labels.empty()) html += "<ul id=\"classes\" class=\"legend\"></ul>\n";
  if (step > 1) {
    html += fmt::format("<p class=\"soft\">Every {}. of {} samples.</p>\n", step, count(static_cast<std::uint64_t>(n)));
  }
  return html + "</div>\n";
}

std::string sample_data(const Model& model, const ReportSource& source) {
  const auto n_views = static_cast<Index>(model.views.size());
  const Index n = source.variates.empty() ? 0 : source.variates[0].rows();
  const Index step = std::max<Index>(1, stride(source));
  const Index shown = (n + step - 1) / step;
  const auto text_of = [&](const std::vector<std::string>& texts, Index i) {
    return json_string(texts[static_cast<std::size_t>(i * step)]);
  };
  std::string json = "{\"views\":" + json_list(n_views, [&](Index v) {
                       return json_string(model.views[static_cast<std::size_t>(v)].name);
                     });
  json += ",\"ids\":" + json_list(shown, [&](Index i) {
            return source.sample_ids.empty() ? json_string(fmt::format("sample {}", i * step + 1))
                                             : text_of(source.sample_ids, i);
          });
  json +=
      ",\"labels\":" + json_list(source.labels.empty() ? 0 : shown, [&](Index i) { return text_of(source.labels, i); });
  json += ",\"weights\":" + json_list(source.weights.empty() ? 0 : shown, [&](Index i) {
            return number(source.weights[static_cast<std::size_t>(i * step)], 4);
          });
  json += ",\"variates\":" + json_list(static_cast<Index>(source.variates.size()), [&](Index v) {
            const Matrix<float>& z = source.variates[static_cast<std::size_t>(v)];
            return json_list(z.cols(), [&](Index k) {
              return json_list(shown, [&](Index i) {
                const float value = z(i * step, k);
                return std::isfinite(value) ? number(value, 3) : std::string("0");
              });
            });
          });
  json += fmt::format(",\"kind\":\"{}\"}}", source.out_of_fold ? "out of fold" : "in sample");
  return json;
}

}  // namespace treecca::report
