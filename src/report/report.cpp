#include "treecca/report.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/page.hpp"
#include "report/sections.hpp"
#include "treecca/error.hpp"
#include "treecca/version.hpp"

namespace treecca {
namespace {

void check(const RunSummary& run) {
  const Model& model = run.result.model;
  const std::vector<Matrix<float>>& variates = report::shown_variates(run);
  if (!variates.empty() && variates.size() != model.views.size()) {
    throw DataError(fmt::format("A report of {} views needs the variates of all of them; {} given.", model.views.size(),
                                variates.size()));
  }
  for (const Matrix<float>& z : variates) {
    if (z.rows() != variates[0].rows() || z.cols() != model.n_components()) {
      throw DataError("The variates of a report must have the same samples in every view and the model's components.");
    }
  }
  for (std::size_t v = 0; v < run.data.size(); ++v) {
    const bool same = run.data.size() == model.views.size() && run.data[v].rows() == run.data[0].rows() &&
                      run.data[v].cols() == static_cast<Index>(model.views[v].feature_names.size());
    if (!same) {
      throw DataError(
          "The data of a report must be all views of the model, with its features and with the same samples.");
    }
  }
  const auto fits = [&](const std::vector<std::string>& texts) {
    return texts.empty() || (!variates.empty() && static_cast<Index>(texts.size()) == variates[0].rows());
  };
  if (!fits(run.sample_ids) || !fits(run.labels)) {
    throw DataError("The sample ids and labels of a report must be as many as the rows of its variates.");
  }
}

}  // namespace

std::string report_html(const RunSummary& run) {
  check(run);
  const Model& model = run.result.model;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"TreeCCA {}\">\n<title>{}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>{}</style>\n"
      "</head>\n<body>\n",
      version, report::escaped(report::title(model)), report::kStyle);
  html += "<main>\n";
  html += report::overview(run);
  html += report::correlations(model);
  html += report::components(run);
  html += report::relations(model);
  html += report::what_was_run(run);
  html += report::glossary();
  html += "</main>\n";
  html +=
      fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
                  report::sample_data(run), report::kScript);
  return html;
}

}  // namespace treecca
