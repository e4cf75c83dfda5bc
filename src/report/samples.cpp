// The samples as points: drawn by the script from data in the page, and as plain charts for paper.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/label_classes.hpp"
#include "report/pairs.hpp"
#include "report/sections.hpp"
#include "support/document.hpp"

namespace treecca::report {
namespace {

constexpr std::size_t kPlainPairs = 3;
constexpr std::size_t kColours = 8;

/// Every n-th sample is shown: the same samples in every report, without random numbers.
Index stride(Index n_samples, Index most) { return std::max<Index>(1, (n_samples + most - 1) / most); }

Index samples_of(const RunSummary& run) { return shown_variates(run).empty() ? 0 : shown_variates(run)[0].rows(); }

std::string kind_of_variates(const RunSummary& run) {
  return run.result.out_of_fold.empty() ? "in-sample" : "out-of-fold";
}

/// The classes in the order of the samples, and the class of every sample.
struct ClassNumbers {
  std::vector<std::string> names;
  std::vector<std::size_t> of_sample;
};

ClassNumbers numbered_classes(const std::vector<std::string>& labels) {
  ClassNumbers result;
  for (const std::string& label : label_classes(labels)) {
    const auto at = std::find(result.names.begin(), result.names.end(), label);
    result.of_sample.push_back(static_cast<std::size_t>(at - result.names.begin()));
    if (at == result.names.end()) result.names.push_back(label);
  }
  return result;
}

std::string class_legend(const ClassNumbers& classes) {
  if (classes.names.empty()) return "";
  std::string html = "<ul class=\"legend\">";
  for (std::size_t c = 0; c < classes.names.size(); ++c) {
    html += fmt::format("<li><span class=\"key c{}\"></span>{}</li>", c % kColours,
                        escaped(cut_middle(classes.names[c], 40)));
  }
  return html + "</ul>\n";
}

std::string view_options(const Model& model, std::size_t chosen) {
  std::string html;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    html += fmt::format("<option value=\"{}\"{}>{}</option>", v, v == chosen ? " selected" : "",
                        escaped(cut_middle(model.views[v].name, 40)));
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
  if (shown_variates(run).size() < 2) return "";
  const Model& model = run.result.model;
  const Index n = samples_of(run), step = stride(n, kMaxSamples);
  std::string html =
      "<div class=\"pair interactive\">\n<svg id=\"samples\" class=\"chart wide\" viewBox=\"0 0 500 360\" "
      "tabindex=\"0\" "
      "role=\"img\" aria-label=\"Samples; arrow keys go from one to the next\" "
      "aria-describedby=\"told\"></svg>\n<div>\n";
  html += "<p><label>Horizontal axis <select id=\"view-x\">" + view_options(model, 0) +
          "</select></label> <label>vertical axis <select id=\"view-y\">" + view_options(model, 1) +
          "</select></label></p>\n";
  html += "<p id=\"correlation\"></p>\n<p id=\"told\" aria-live=\"polite\"></p>\n" +
          class_legend(numbered_classes(run.labels));
  std::string text = fmt::format("One point per sample, at its {} variates.", kind_of_variates(run));
  if (step > 1) {
    text += fmt::format(" {} of {} samples are shown.", count(static_cast<std::uint64_t>((n + step - 1) / step)),
                        count(static_cast<std::uint64_t>(n)));
  }
  if (model.views.size() > 2) {
    text += " The plot shows one pair of views; the correlation of the component is the mean over all pairs.";
  }
  if (!run.result.out_of_fold.empty() && model.views[0].parts.size() > 1) {
    text += " A point is the mean of fewer parts than the model has, so the points alone correlate slightly less.";
  }
  return html + remark(text) + "</div>\n</div>\n";
}

std::string plain_samples(const RunSummary& run, Index component) {
  const std::vector<Matrix<float>>& variates = shown_variates(run);
  if (variates.size() < 2) return "";
  const Model& model = run.result.model;
  const ClassNumbers classes = numbered_classes(run.labels);
  const Index n = samples_of(run), step = stride(n, kMaxPlainSamples);
  const std::vector<ViewPair> pairs = view_pairs(variates.size(), 1);
  const std::size_t shown = std::min(pairs.size(), kPlainPairs);
  std::string html =
      "<div class=\"plain\">\n" + class_legend(classes) + fmt::format("<div class=\"row n{}\">\n", shown);
  for (std::size_t p = 0; p < shown; ++p) {
    const Matrix<float>&x = variates[pairs[p].first], &y = variates[pairs[p].second];
    std::vector<SamplePoint> points;
    for (Index i = 0; i < n; i += step) {
      if (!std::isfinite(x(i, component)) || !std::isfinite(y(i, component))) continue;  // lacks a view
      points.push_back({x(i, component), y(i, component),
                        classes.names.empty() ? 0 : classes.of_sample[static_cast<std::size_t>(i)]});
    }
    const auto name = [&](std::size_t v, std::size_t most) {
      return fmt::format("{}, variate {}", cut_middle(model.views[v].name, most), component + 1);
    };
    html += "<figure>" +
            scatter_chart(fmt::format("Samples, component {}", component + 1), name(pairs[p].first, 22),
                          name(pairs[p].second, 12), points) +
            "</figure>\n";
  }
  return html + "</div>\n</div>\n";
}

std::string sample_data(const RunSummary& run) {
  const Model& model = run.result.model;
  const std::vector<Matrix<float>>& variates = shown_variates(run);
  const auto n_views = static_cast<Index>(model.views.size());
  const Index n = samples_of(run);
  const Index step = stride(n, kMaxSamples);
  const Index shown = (n + step - 1) / step;
  const auto quoted = [](const std::string& text) { return json_text(text, /*inside_html=*/true); };
  const ClassNumbers classes = numbered_classes(run.labels);
  const auto text_of = [&](const std::vector<std::string>& texts, Index i) {
    return quoted(texts[static_cast<std::size_t>(i * step)]);
  };
  std::string json = "{\"views\":" +
                     json_list(n_views, [&](Index v) { return quoted(model.views[static_cast<std::size_t>(v)].name); });
  json += ",\"ids\":" + json_list(shown, [&](Index i) {
            return run.sample_ids.empty() ? quoted(fmt::format("sample {}", i * step + 1)) : text_of(run.sample_ids, i);
          });
  json += ",\"classes\":" + json_list(static_cast<Index>(classes.names.size()),
                                      [&](Index c) { return quoted(classes.names[static_cast<std::size_t>(c)]); });
  json += ",\"labels\":" + json_list(classes.names.empty() ? 0 : shown, [&](Index i) {
            return std::to_string(classes.of_sample[static_cast<std::size_t>(i * step)]);
          });
  json += ",\"variates\":" + json_list(static_cast<Index>(variates.size()), [&](Index v) {
            const Matrix<float>& z = variates[static_cast<std::size_t>(v)];
            return json_list(z.cols(), [&](Index k) {
              return json_list(shown, [&](Index i) {
                const float value = z(i * step, k);
                return std::isfinite(value) ? number(value, 3) : std::string("null");
              });
            });
          });
  // M x M x K, of all samples: the script shows them next to the points.
  const std::vector<double>& pairwise = model.correlations.pairwise;
  json += ",\"correlations\":" + json_list(static_cast<Index>(pairwise.size()), [&](Index at) {
            const double value = pairwise[static_cast<std::size_t>(at)];
            return std::isfinite(value) ? number(value, 3) : std::string("null");
          });
  return json + fmt::format(",\"kind\":\"{}\"}}", model.correlations.out_of_fold.empty() ? "in-sample" : "out-of-fold");
}

}  // namespace treecca::report
