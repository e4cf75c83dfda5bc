// treecca transform: the variates of new rows, view by view.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/output.hpp"
#include "cli/parameter_options.hpp"
#include "cli/result_files.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

struct Settings {
  std::string model;
  std::vector<std::string> views;
  std::string id;
  std::string out = "-";
  ParameterTexts parameters;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || std::filesystem::is_directory(path, ignored);
}

void run(const Settings& settings) {
  const std::vector<ViewFile> files = parse_view_files(settings.views);
  if (files.empty()) throw UsageError("transform needs at least one view; name it with --view NAME=FILE.");
  if (files.size() > 1 && !is_folder(settings.out)) {
    throw UsageError(fmt::format("The variates of {} views do not fit into one file; give a folder, as --out {}/.",
                                 files.size(), settings.out == "-" ? "DIR" : settings.out));
  }
  const Parameters parameters = resolve_parameters(settings.parameters);
  std::optional<OutputFolder> folder;
  if (is_folder(settings.out)) folder.emplace(settings.out);
  std::vector<std::string> read{settings.model};
  std::vector<std::string> written{settings.out};
  for (const ViewFile& file : files) {
    read.push_back(file.path);
    if (folder) written.push_back(folder->path() + "/variates_" + file.name + ".csv");
  }
  refuse_overwriting(written, read);

  const Model model = load_model(settings.model);
  const std::vector<Table> tables = read_views_of(model, files, settings.id);
  std::vector<Matrix<float>> variates;
  for (const Table& table : tables) {
    variates.push_back(transform(model, view_index(model, table.name), table.values, parameters.n_jobs));
  }
  if (!folder) {
    write_output(settings.out, variates_csv(tables.front().sample_ids, variates.front()));
    return;
  }
  std::vector<OutputFile> outputs;
  for (std::size_t v = 0; v < tables.size(); ++v) {
    outputs.push_back(
        {"variates_" + tables[v].name + ".csv", [&, v] { return variates_csv(tables[v].sample_ids, variates[v]); }});
  }
  folder->write(outputs);
}

}  // namespace

void add_transform(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("transform", "Compute the canonical variates of new samples");
  const auto settings = std::make_shared<Settings>();
  verb->add_option("MODEL", settings->model, "model file written by fit")->type_name("FILE")->required();
  verb->add_option("--view", settings->views,
                   "table of new samples of one of the model's views; features are matched by "
                   "name; may be repeated")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false);
  verb->add_option("--id", settings->id, "column with sample ids")->type_name("COLUMN");
  verb->add_option("--out", settings->out,
                   "CSV file, or - for standard output; with several views a folder (name/), which gets "
                   "variates_VIEW.csv each [-]")
      ->type_name("FILE");
  add_threads_option(*verb, settings->parameters);
  verb->footer("Example:\n  treecca transform run/model.json --view rna=new.csv --out z.csv");
  verb->callback([settings] { run(*settings); });
}

}  // namespace treecca::cli
