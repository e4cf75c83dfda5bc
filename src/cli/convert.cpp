// treecca convert: a model file from JSON to UBJSON and back.
#include <fmt/format.h>

#include <memory>

#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "treecca/error.hpp"
#include "treecca/model.hpp"

namespace treecca::cli {
namespace {

struct Settings {
  std::string in;
  std::string out;
};

void run(const Settings& settings) {
  const std::string& out = settings.out;
  if (!out.ends_with(".json") && !out.ends_with(".ubj") && !out.ends_with(".ubjson")) {
    throw UsageError(fmt::format("The ending of {} names no model format; use .json, .ubj or .ubjson.", out));
  }
  refuse_overwriting({out}, {settings.in});
  const Model model = load_model(settings.in);
  const StopScope scope;
  save_model(model, out);
}

}  // namespace

void add_convert(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("convert", "Convert a model between JSON (.json) and UBJSON (.ubj)");
  const auto settings = std::make_shared<Settings>();
  verb->add_option("IN", settings->in, "model file to read, either format")->type_name("FILE")->required();
  verb->add_option("OUT", settings->out, "model file to write; its ending chooses the format")
      ->type_name("FILE")
      ->required();
  verb->footer("Example:\n  treecca convert run/model.json model.ubj");
  verb->callback([settings] { run(*settings); });
}

}  // namespace treecca::cli
