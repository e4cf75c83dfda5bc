// treecca convert: rewrites a model file as JSON or UBJSON.
#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "treecca/error.hpp"
#include "treecca/model.hpp"

namespace treecca::cli {
namespace {

void run_convert(const Arguments& arguments) {
  const std::string in = arguments.text("IN");
  const std::string out = arguments.text("OUT");
  if (!out.ends_with(".json") && !out.ends_with(".ubj") && !out.ends_with(".ubjson")) {
    throw UsageError(fmt::format("The ending of {} names no model format; use .json, .ubj or .ubjson.", out));
  }
  refuse_overwriting({out}, {in});
  const Model model = load_model(in);
  const StopScope scope;
  save_model(model, out);
}

}  // namespace

Verb convert_verb() {
  return {
      .name = "convert",
      .help = "Convert a model between JSON (.json) and UBJSON (.ubj)",
      .options = {{.name = "IN",
                   .value = "FILE",
                   .help = "Model file to read, in either format.",
                   .group = "Arguments",
                   .positional = true,
                   .required = true},
                  {.name = "OUT",
                   .value = "FILE",
                   .help = "Model file to write. Its ending chooses the format.",
                   .group = "Arguments",
                   .positional = true,
                   .required = true}},
      .footer = "Example:\n  treecca convert run/model.json model.ubj",
      .run = run_convert,
  };
}

}  // namespace treecca::cli
