// treecca fit: tables in, model and tables of results out.
#include <fmt/format.h>

#include <memory>

#include "cli/data_options.hpp"
#include "cli/fit_run.hpp"
#include "cli/parameter_options.hpp"
#include "cli/repeat_command.hpp"
#include "cli/result_files.hpp"
#include "cli/verbs.hpp"

namespace treecca::cli {
namespace {

struct Settings {
  DataOptions data;
  std::string out;
  ParameterTexts parameters;
  bool json = false;
  bool quiet = false;
};

void run(CLI::App& verb, const Settings& settings) {
  const std::vector<ViewFile> files = learning_files(verb, settings.data);
  FitRun fit;
  fit.parameters = resolve_parameters(settings.parameters);
  validate(fit.parameters, static_cast<Index>(files.size()));
  fit.json = settings.json;
  fit.quiet = settings.quiet;
  prepare(fit, verb, files, settings.data, settings.out);
  fit.command = repeat_command("fit", files, settings.data, fit.parameters);
  run_fit(fit);
}

}  // namespace

void add_fit(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("fit", "Find what two or more tables about the same samples share");
  const auto settings = std::make_shared<Settings>();
  add_data_options(*verb, settings->data);
  verb->add_option("--out", settings->out,
                   "folder for the report (HTML), the model, variates, correlations, importances and "
                   "curves; written whole or not at all")
      ->type_name("DIR")
      ->group("Output");
  verb->add_flag("--json", settings->json, "print the summary as JSON")->group("Output");
  verb->add_flag("--quiet", settings->quiet, "print nothing but warnings and errors")
      ->group("Output")
      ->excludes("--json");
  add_parameter_options(*verb, settings->parameters);
  verb->footer(
      "Underscores and dashes in names are the same. NUMBER,... is one value for all views or one "
      "per view.\n"
      "In brackets: the default; --preset sets others, and options given explicitly win over the "
      "preset.\n\n"
      "Example:\n"
      "  treecca fit --view rna=rna.csv --view prot=prot.tsv.gz --id patient -k 3 --out run/");
  verb->callback([verb, settings] { run(*verb, *settings); });
}

}  // namespace treecca::cli
