#include "cli/html_report.hpp"

#include "treecca/report.hpp"

namespace treecca::cli {

std::string html_report(const FitReport& report, const std::vector<std::string>& sample_ids) {
  const FitResult& result = report.result;
  ReportSource source;
  for (std::size_t v = 0; v < report.inputs.views.size(); ++v) {
    const InputSummary& input = report.inputs.views[v];
    source.views.push_back({input.view, input.source, input.rows, report.inputs.join.dropped[v]});
  }
  source.joined_by_id = report.inputs.join.by_id;
  source.out_of_fold = !result.out_of_fold.empty();
  source.variates = source.out_of_fold ? result.out_of_fold : result.variates;
  source.sample_ids = sample_ids;
  source.weights = result.weights;
  source.warnings = result.warnings;
  source.timings = report.timings;
  source.command = report.command;
  return report_html(result.model, source);
}

}  // namespace treecca::cli
