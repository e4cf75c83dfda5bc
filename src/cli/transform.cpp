// treecca transform: computes the variates of new samples, view by view.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/data_options.hpp"
#include "cli/inputs.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "report/file_names.hpp"
#include "report/files.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || std::filesystem::is_directory(path, ignored);
}

void run_transform(const Arguments& arguments) {
  const std::string model_path = arguments.text("MODEL");
  const std::string out = arguments.text("out", "-");
  const std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  if (files.empty()) throw UsageError("transform needs at least one view; name it with --view NAME=FILE.");
  if (files.size() > 1 && !is_folder(out)) {
    throw UsageError(fmt::format("The variates of {} views do not fit into one file; give a folder, as --out {}/.",
                                 files.size(),
                                 out == "-" ? "DIR" : std::filesystem::path(out).replace_extension().string()));
  }
  const Parameters parameters = parse_parameters(arguments.parameters());
  std::optional<OutputFolder> folder;
  if (is_folder(out)) folder.emplace(out);
  std::vector<std::string> read{model_path};
  std::vector<std::string> written{out};
  for (const ViewFile& file : files) {
    read.push_back(file.path);
    if (folder) written.push_back(folder->path() + "/" + view_file(kVariates, file.name));
  }
  refuse_overwriting(written, read);
  if (folder) {
    for (const std::string& name : files_of_earlier_fit(folder->path()).value_or(std::vector<std::string>())) {
      if (std::find(written.begin(), written.end(), folder->path() + "/" + name) == written.end()) continue;
      throw UsageError(
          fmt::format("{}/{} is a result of the fit. Choose another folder for --out.", folder->path(), name));
    }
  }

  const Model model = load_model(model_path);
  const std::vector<Table> tables = read_views_of(model, files, read_options_of(arguments, files), parameters.n_jobs);
  std::vector<Matrix<float>> variates;
  for (const Table& table : tables) {
    print_warnings(table.notes);
    variates.push_back(transform(model, view_index(model, table.name), table.values, parameters.n_jobs,
                                 covariates_for(model, covariate_file_of(arguments), table)));
  }
  if (!folder) {
    write_output(out, variates_csv(tables.front().sample_ids, variates.front()));
    return;
  }
  std::vector<OutputFile> outputs;
  for (std::size_t v = 0; v < tables.size(); ++v) {
    outputs.push_back(
        {view_file(kVariates, tables[v].name), [&, v] { return variates_csv(tables[v].sample_ids, variates[v]); }});
  }
  write_folder(*folder, outputs);
}

}  // namespace

Verb transform_verb() {
  return {
      .name = "transform",
      .help = "Compute the canonical variates of new samples",
      .options =
          combined({{model_argument(),
                     {.name = "view",
                      .value = "[NAME=]FILE",
                      .help = "Table of new samples of one of the model's views. Features are matched by name. May "
                              "be repeated.",
                      .repeats = true},
                     {.name = "out",
                      .value = "FILE",
                      .help = "CSV file, or - for standard output. For several views: a folder, with a slash at the "
                              "end (z/). [-]"},
                     model_covariates_option(),
                     threads_option()},
                    reading_options()}),
      .files = {{"variates_VIEW.csv", "Per sample: its variates. Only if --out is a folder."}},
      .footer = "Example:\n  treecca transform run/model.json --view rna=new.csv --out z.csv",
      .run = run_transform,
  };
}

}  // namespace treecca::cli
