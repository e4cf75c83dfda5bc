#include "cli/data_options.hpp"

#include <fmt/format.h>

#include "cli/config_file.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {

namespace {

void add_id_and_groups(CLI::App& verb, DataOptions& options) {
  verb.add_option("--id", options.id,
                  "column with sample ids, by which rows are joined; recognised by itself when it "
                  "is the first one and "
                  "called id, sample, patient, subject_id, ... or holds text")
      ->type_name("COLUMN")
      ->group("Data");
  verb.add_option("--groups", options.groups,
                  "table with a sample id and one label per sample; samples with the same label "
                  "stay in one fold")
      ->type_name("FILE")
      ->group("Data");
}

void add_config(CLI::App& verb, DataOptions& options) {
  verb.add_option("--config", options.config,
                  "TOML file with any of these options (view = [\"a=a.csv\", ...], max_depth = 3, "
                  "json = true, ...); the command line wins")
      ->type_name("FILE")
      ->group("Data");
}

void add_engine_params(CLI::App& verb, DataOptions& options) {
  verb.add_option("--engine_param,--engine-param", options.engine_params,
                  "a parameter for XGBoost or LightGBM (see --engine), handed over as it is: device=cuda")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group("Parameters");
}

}  // namespace

void add_data_options(CLI::App& verb, DataOptions& options) {
  verb.add_option("--view", options.views,
                  "one table (CSV, TSV, either .gz, or NPY): rows are samples, columns are "
                  "features; give at least two; "
                  "the name is the file's unless given")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false)
      ->group("Data");
  add_id_and_groups(verb, options);
  verb.add_option("--weights", options.weights, "table with a sample id and one number per sample: how much it counts")
      ->type_name("FILE")
      ->group("Data");
  add_config(verb, options);
  add_engine_params(verb, options);
}

void add_single_data_options(CLI::App& verb, DataOptions& options) {
  verb.add_option("--view", options.views,
                  "the table (CSV, TSV, either .gz, or NPY): rows are samples, columns are features")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false)
      ->group("Data");
  add_id_and_groups(verb, options);
  add_config(verb, options);
  add_engine_params(verb, options);
}

std::vector<ViewFile> learning_files(CLI::App& verb, const DataOptions& options) {
  if (!options.config.empty()) apply_config_file(verb, options.config);
  std::vector<ViewFile> files = parse_view_files(options.views);
  if (files.size() < 2) {
    throw UsageError(fmt::format("{} needs at least two views, and {} given; name them with --view NAME=FILE.",
                                 verb.get_name(), files.empty() ? "none is" : "only one is"));
  }
  return files;
}

std::vector<ViewFile> single_file(CLI::App& verb, const DataOptions& options) {
  if (!options.config.empty()) apply_config_file(verb, options.config);
  std::vector<ViewFile> files = parse_view_files(options.views);
  if (files.size() != 1) {
    throw UsageError(fmt::format("{} learns from one table, and {} given; name it with --view FILE.", verb.get_name(),
                                 files.empty() ? "none is" : fmt::format("{} are", files.size())));
  }
  return files;
}

std::vector<std::string> input_paths(const std::vector<ViewFile>& files, const DataOptions& options) {
  std::vector<std::string> paths = paths_of(files);
  paths.insert(paths.end(), {options.groups, options.weights, options.config});
  return paths;
}

std::vector<std::int64_t> groups_of(const std::string& file, const std::vector<Table>& tables) {
  if (file.empty()) return {};
  return read_groups(file, tables.front().sample_ids, static_cast<std::size_t>(tables.front().values.rows()));
}

std::vector<std::pair<std::string, std::string>> engine_params_of(const DataOptions& options) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : options.engine_params) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--engine_param \"{}\" is not of the form NAME=VALUE.", text));
    }
    pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return pairs;
}

std::vector<View> views_of(const std::vector<Table>& tables) {
  std::vector<View> views;
  for (const Table& table : tables) views.push_back({table.name, table.values, table.feature_names});
  return views;
}

std::vector<double> weights_of(const std::string& file, const std::vector<Table>& tables) {
  if (file.empty()) return {};
  return read_weights(file, tables.front().sample_ids, static_cast<std::size_t>(tables.front().values.rows()));
}

}  // namespace treecca::cli
