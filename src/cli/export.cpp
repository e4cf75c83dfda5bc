// treecca export: a model for XGBoost, Treelite or ONNX, one file per view.
#include "treecca/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "treecca/model.hpp"

namespace treecca::cli {
namespace {

struct Settings {
  std::string model;
  std::string format;
  std::string out;
};

void run(const Settings& settings) {
  const ExportFormat format = export_format(settings.format);
  const Model model = load_model(settings.model);
  std::vector<std::string> paths;
  for (const std::string& name : export_file_names(model, format)) paths.push_back(settings.out + "/" + name);
  refuse_overwriting(paths, {settings.model});
  const StopScope scope;
  for (const std::string& path : export_model(model, settings.out, format)) print("{}\n", path);
}

}  // namespace

void add_export(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("export", "Write a model for XGBoost, Treelite or ONNX, one file per view");
  const auto settings = std::make_shared<Settings>();
  verb->add_option("MODEL", settings->model, "model file")->type_name("FILE")->required();
  verb->add_option("--format", settings->format, "what the files are for")
      ->type_name(fmt::format("{{{}}}", fmt::join(export_format_names(), ",")))
      ->required();
  verb->add_option("-o,--out", settings->out, "folder to write to")->type_name("DIR")->required();
  verb->footer(
      "The outputs of the files are the variates that transform gives.\n\n"
      "Example:\n  treecca export run/model.json --format onnx --out exported");
  verb->callback([settings] { run(*settings); });
}

}  // namespace treecca::cli
