// treecca ssl: one table in, components that survive a disturbance of its rows out.
#include "treecca/ssl.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/data_options.hpp"
#include "cli/fit_run.hpp"
#include "cli/parameter_options.hpp"
#include "cli/repeat_command.hpp"
#include "cli/verbs.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

struct Settings {
  DataOptions data;
  Augmentation augmentation;
  std::string rows;
  std::string out;
  ParameterTexts parameters;
  bool json = false;
  bool quiet = false;
};

SslRows rows_of(const Settings& settings, Preset preset) {
  if (settings.rows.empty()) return preset == Preset::paper ? SslRows::symmetrised : SslRows::stacked;
  if (settings.rows == "stacked") return SslRows::stacked;
  if (settings.rows == "symmetrised") return SslRows::symmetrised;
  throw UsageError(fmt::format("--rows must be stacked or symmetrised, not \"{}\".", settings.rows));
}

std::string augmentation_words(const Augmentation& augmentation, const std::string& rows) {
  std::string words;
  if (augmentation.swap > 0) words += fmt::format(" --swap {}", augmentation.swap);
  if (augmentation.mask > 0) words += fmt::format(" --mask {}", augmentation.mask);
  if (augmentation.sign_flip) words += " --sign_flip";
  if (augmentation.noise > 0) words += fmt::format(" --noise {}", augmentation.noise);
  if (!rows.empty()) words += " --rows " + rows;
  return words;
}

void run(CLI::App& verb, const Settings& settings) {
  const std::vector<ViewFile> files = single_file(verb, settings.data);
  FitRun fit;
  fit.parameters = resolve_parameters(settings.parameters, ssl_parameters);
  const SslRows rows = rows_of(settings, fit.parameters.preset);
  fit.json = settings.json;
  fit.quiet = settings.quiet;
  prepare(fit, verb, files, settings.data, settings.out);
  fit.command = repeat_command("ssl", files, settings.data, fit.parameters, ssl_parameters) +
                augmentation_words(settings.augmentation, settings.rows);
  fit.learn = [&](const std::vector<View>& views, const FitOptions& options) {
    SslOptions ssl;
    ssl.augmentation = settings.augmentation;
    ssl.rows = rows;
    ssl.groups = options.groups;
    ssl.engine_params = options.engine_params;
    ssl.on_round = options.on_round;
    ssl.stop = options.stop;
    return fit_ssl(views[0], fit.parameters, ssl);
  };
  run_fit(fit);
}

}  // namespace

void add_ssl(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("ssl", "Find what survives when the rows of one table are disturbed (no labels needed)");
  const auto settings = std::make_shared<Settings>();
  add_single_data_options(*verb, settings->data);
  const auto group = [](CLI::Option* option) { option->group("Disturbance (give at least one)"); };
  group(verb->add_option("--swap", settings->augmentation.swap,
                         "share of cells that take the value of another row, as in SCARF")
            ->type_name("NUMBER"));
  group(verb->add_option("--mask", settings->augmentation.mask, "share of cells that become missing")
            ->type_name("NUMBER"));
  group(verb->add_flag("--sign_flip,--sign-flip", settings->augmentation.sign_flip,
                       "every cell changes its sign with probability 1/2"));
  group(verb->add_option("--noise", settings->augmentation.noise,
                         "standard deviation of Gaussian noise, in units of the feature's own")
            ->type_name("NUMBER"));
  group(
      verb->add_option("--rows", settings->rows,
                       "let trees learn from both disturbed copies (stacked), or from the first with the mean of both "
                       "gradients (symmetrised; so with --preset paper)")
          ->type_name("{stacked,symmetrised}"));
  verb->add_option("--out", settings->out, "folder for the model, components, correlations, importances and curves")
      ->type_name("DIR")
      ->group("Output");
  verb->add_flag("--json", settings->json, "print the summary as JSON")->group("Output");
  verb->add_flag("--quiet", settings->quiet, "print nothing but warnings and errors")
      ->group("Output")
      ->excludes("--json");
  add_parameter_options(*verb, settings->parameters, ssl_parameters(), {"schedule", "screen", "early_stopping_rounds"});
  verb->footer(
      "Example:\n  treecca ssl --view table.csv --swap 0.3 -k 5 --out run/\n"
      "  treecca transform run/model.json --view table=new.csv --out z.csv");
  verb->callback([verb, settings] { run(*verb, *settings); });
}

}  // namespace treecca::cli
