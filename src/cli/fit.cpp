// treecca fit.
#include "cli/fit.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>

#include "cli/inputs.hpp"
#include "cli/progress.hpp"
#include "cli/reading.hpp"
#include "cli/repeat_command.hpp"
#include "cli/stop.hpp"
#include "report/file_names.hpp"
#include "report/files.hpp"
#include "report/summary.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

/// Seconds on a monotonic clock.
double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Prints warnings about the input at once, because the fit may take long; counts them in `printed`.
FitResult fit_tables(const FitRun& run, FitOptions options, std::size_t& printed) {
  const StopScope scope;
  ProgressLine progress(run.quiet);
  options.on_round = [&](const Progress& state) { progress.update(state); };
  options.on_warning = [&](const std::string& warning) {
    print_warnings({warning});
    ++printed;
  };
  options.stop = scope.flag();
  const std::vector<View> views = views_of(run.tables);
  FitResult result = run.learn ? run.learn(views, options) : fit(views, run.parameters, options);
  throw_if_stopped();
  return result;
}

void write_results(const FitRun& run, RunSummary& summary) {
  std::vector<OutputFile> files = run.more_files;
  for (OutputFile& file : fit_files(summary)) files.push_back(std::move(file));
  summary.out = run.out->path();
  for (const OutputFile& file : files) summary.files.push_back(file.name);
  write_folder(*run.out, files, files_of_earlier_fit(summary.out).value_or(std::vector<std::string>()));
}

/// Throws UsageError if results would overwrite an input or a file that no fit has written, or if removing the results
/// of an earlier fit would remove an input.
void check_files_survive(const std::string& folder, const std::vector<ViewFile>& files, const DataOptions& data) {
  std::vector<std::string> views;
  for (const ViewFile& file : files) views.push_back(file.name);
  const std::vector<std::string> names = fit_file_names(views);
  const std::optional<std::vector<std::string>> earlier = files_of_earlier_fit(folder);
  std::vector<std::string> outputs;
  for (const auto& some : {names, earlier.value_or(std::vector<std::string>())}) {
    for (const std::string& name : some) outputs.push_back(folder + "/" + name);
  }
  refuse_overwriting(outputs, input_paths(files, data));
  for (std::size_t i = 0; !earlier && i < names.size(); ++i) {
    std::error_code ignored;
    if (!std::filesystem::exists(outputs[i], ignored)) continue;
    throw UsageError(fmt::format(
        "{} would be overwritten, but no earlier fit wrote it. Choose another folder for --out.", outputs[i]));
  }
}

void run_fit_command(const Arguments& arguments) {
  const std::vector<ViewFile> files = learning_files(arguments);
  const DataOptions data = data_options_of(arguments);
  if (!data.labels.empty() && !arguments.has("out")) {
    throw UsageError("--labels colours the samples in the report, which needs a folder: add --out DIR.");
  }
  FitRun fit;
  fit.parameters = parse_parameters(arguments.parameters(), static_cast<Index>(files.size()));
  prepare(fit, arguments, files, data);
  fit.command = repeat_command("fit", files, data, fit.parameters);
  run_fit(fit);
}

}  // namespace

void prepare(FitRun& run, const Arguments& arguments, const std::vector<ViewFile>& files, const DataOptions& data) {
  run.json = arguments.has("json");
  run.quiet = arguments.has("quiet");
  run.data = data;
  if (arguments.has("out")) {
    run.out.emplace(arguments.text("out"));
    check_files_survive(run.out->path(), files, data);
  }
  const double begin = now_seconds();
  run.tables = read_views(files, read_options_of(arguments, files));
  run.seconds_reading = now_seconds() - begin;
  run.sources = paths_of(files);
}

RunSummary run_fit(FitRun& run) {
  const bool text = !run.json && !run.quiet;
  RunSummary summary;
  summary.command = run.command;
  summary.inputs = join_inputs(run.tables, run.sources, run.data.join);
  summary.sample_ids = run.tables.front().sample_ids;
  if (!run.data.labels.empty()) {
    summary.labels = read_labels(run.data.labels, summary.sample_ids, summary.inputs.samples);
  }
  FitOptions options = fit_options_of(run.data, run.tables);
  summary.inputs.groups = std::set<std::int64_t>(options.groups.begin(), options.groups.end()).size();
  print_inputs(summary.inputs, text);
  std::size_t printed = 0;
  summary.result = fit_tables(run, std::move(options), printed);
  std::vector<std::string>& warnings = summary.result.warnings;
  const std::vector<std::string> late_warnings(warnings.begin() + static_cast<Index>(printed), warnings.end());
  warnings.insert(warnings.begin(), summary.inputs.warnings.begin(), summary.inputs.warnings.end());
  std::vector<Stage>& timings = summary.result.timings;
  timings.insert(timings.begin(), Stage{"read", run.seconds_reading});
  if (run.out) {
    const double begin = now_seconds();
    for (const Table& table : run.tables) summary.data.emplace_back(table.values);
    write_results(run, summary);
    timings.push_back({"write", now_seconds() - begin});
  }
  if (text) print("{}", results_text(summary));
  if (run.json) print("{}", write_json(summary_document(summary), DocumentStyle::typed));
  flush_stdout();
  print_warnings(late_warnings);
  return summary;
}

std::vector<WrittenFile> fit_written_files() {
  return {
      {std::string(kModelFile), "The model, for the other commands."},
      {std::string(kReportFile), "The results as one page for a browser, which needs no network."},
      {std::string(kSummaryFile), "Input, correlations, settings, warnings and seconds, as --json prints them."},
      {std::string(kCorrelationsFile),
       "Per component: out-of-fold correlation, its standard error, 95% interval and noise threshold; in-sample "
       "correlation; linear CCA."},
      {std::string(kCurvesFile), "Per boosting round: TCC, and without parts the loss and the variances."},
      {view_file(kVariates, "VIEW"), "Per sample: its variates by the final model."},
      {out_of_fold_file("VIEW"), "Per sample: its variates by trees trained without it. Only with cross-fitting."},
      {view_file(kImportances, "VIEW"),
       "Per feature: its importances over all components, including those below noise, and per component (gain_cc1, "
       "...); fractions of 1."},
      {view_file(kLoadings, "VIEW"), "Per feature and component: loading and cross-loading with 95% intervals."},
      {view_file(kPartners, "VIEW"), "Related features of other views. Only with two or more views."},
      {view_file(kScreening, "VIEW"),
       "Per feature: score and p-value of the feature screening. Only where it is used."},
  };
}

Verb fit_verb() {
  return {
      .name = "fit",
      .help = "Find what two or more tables about the same samples share",
      .options =
          combined({data_options(),
                    output_options("Folder for the model, the report (HTML) and the results (CSV). All files are "
                                   "written or none."),
                    {labels_option()},
                    parameter_options(),
                    {engine_param_option()}}),
      .files = fit_written_files(),
      .footer =
          "Dashes and underscores in names are the same. INT,... and NUM,...: one value, or one per view.\n"
          "In brackets: the default. --preset changes defaults; options that are given override the preset.\n\n"
          "Example:\n"
          "  treecca fit --view rna=rna.csv --view prot=prot.tsv.gz --id patient -k 3 --out run/",
      .run = run_fit_command,
  };
}

}  // namespace treecca::cli
