#include "treecca/report.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/page.hpp"
#include "report/sections.hpp"
#include "treecca/error.hpp"
#include "treecca/version.hpp"

namespace treecca {
namespace {

void check(const Model& model, const ReportSource& source) {
  if (!source.variates.empty() && source.variates.size() != model.views.size()) {
    throw DataError(fmt::format("A report of {} views needs the variates of all of them; {} given.", model.views.size(),
                                source.variates.size()));
  }
  for (const Matrix<float>& z : source.variates) {
    if (z.rows() != source.variates[0].rows() || z.cols() != model.n_components()) {
      throw DataError("The variates of a report must have the same samples in every view and the model's components.");
    }
  }
  const auto fits = [&](const std::vector<std::string>& texts) {
    return texts.empty() || (!source.variates.empty() && static_cast<Index>(texts.size()) == source.variates[0].rows());
  };
  if (!fits(source.sample_ids) || !fits(source.labels)) {
    throw DataError("The sample ids and labels of a report must be as many as the rows of its variates.");
  }
}

}  // namespace

std::string report_html(const Model& model, const ReportSource& source) {
  check(model, source);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"TreeCCA {}\">\n<title>{}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n<style>{}</style>\n"
      "</head>\n<body>\n",
      version, report::escaped(report::title(model)), report::kStyle);
  html += "<main>\n";
  html += report::summary(model, source);
  html += report::correlations(model);
  html += report::curves(model);
  html += report::components(model, source);
  html += report::what_was_run(model, source);
  html += report::glossary();
  html += "</main>\n";
  html +=
      fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
                  report::sample_data(model, source), report::kScript);
  return html;
}

}  // namespace treecca
