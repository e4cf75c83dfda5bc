#include "cli/html_report.hpp"

#include <fmt/format.h>

#include "treecca/report.hpp"

namespace treecca::cli {
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./,:@%") == std::string::npos;
  if (plain) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string repeat_command(const FitReport& report, const std::string& more_words) {
  std::string command = "treecca fit";
  for (const InputSummary& input : report.inputs) {
    if (input.source.empty()) return "treecca demo";
    command += " --view " + shell_word(input.view + "=" + input.source);
  }
  command += more_words;
  const Parameters& used = report.result.model.parameters;
  const Parameters standard = Parameters::of_preset(used.preset);
  for_each_parameter([&](const Declaration& declaration, auto) {
    const std::string value = to_text(used, declaration.name);
    const std::string usual = to_text(standard, declaration.name);
    const bool chosen_by_fit = usual == "auto";
    const bool is_preset = declaration.name == "preset" && used.preset != Preset::standard;
    if (is_preset || (value != usual && declaration.affects_model && !chosen_by_fit)) {
      command += fmt::format(" --{} {}", declaration.name, shell_word(value));
    }
  });
  return command;
}

std::string html_report(const FitReport& report, const std::vector<std::string>& sample_ids,
                        const std::string& more_words) {
  const FitResult& result = report.result;
  ReportSource source;
  for (std::size_t v = 0; v < report.inputs.size(); ++v) {
    const InputSummary& input = report.inputs[v];
    source.views.push_back({input.view, input.source, input.rows, report.join.dropped[v]});
  }
  source.joined_by_id = report.join.by_id;
  source.out_of_fold = !result.out_of_fold.empty();
  source.variates = source.out_of_fold ? result.out_of_fold : result.variates;
  source.sample_ids = sample_ids;
  source.warnings = result.warnings;
  source.timings = report.timings;
  source.command = repeat_command(report, more_words);
  return report_html(result.model, source);
}

}  // namespace treecca::cli
