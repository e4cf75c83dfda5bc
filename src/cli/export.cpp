// treecca export: writes a model for XGBoost, Treelite or ONNX, one file per view.
#include "treecca/export.hpp"

#include <fmt/format.h>

#include "cli/data_options.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "treecca/model.hpp"

namespace treecca::cli {
namespace {

void run_export(const Arguments& arguments) {
  const std::string path = arguments.text("MODEL");
  const std::string out = arguments.text("out");
  const ExportFormat format = export_format(arguments.text("format"));
  const Model model = load_model(path);
  std::vector<std::string> paths;
  for (const std::string& name : export_file_names(model, format)) paths.push_back(out + "/" + name);
  refuse_overwriting(paths, {path});
  const StopScope scope;
  for (const std::string& written : export_model(model, out, format)) print("{}\n", written);
}

}  // namespace

Verb export_verb() {
  const auto formats = export_format_names();
  return {
      .name = "export",
      .help = "Write a model for XGBoost, Treelite or ONNX, one file per view",
      .options = {model_argument(),
                  {.name = "format",
                   .choices = {formats.begin(), formats.end()},
                   .help = "Format of the files.",
                   .required = true},
                  {.name = "out", .letter = 'o', .value = "DIR", .help = "Folder for the files.", .required = true}},
      .files = {{"VIEW.json, VIEW.ubj, VIEW.treelite or VIEW.onnx", "The model of a view, by --format."}},
      .footer =
          "The exported models compute the same variates as transform.\n\n"
          "Example:\n  treecca export run/model.json --format onnx --out exported",
      .run = run_export,
  };
}

}  // namespace treecca::cli
