#include "cli/data_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/reading.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

Option view_option(std::string help) {
  return {.name = "view", .value = "[NAME=]FILE", .help = std::move(help), .group = "Data", .repeats = true};
}

Option groups_option() {
  return {.name = "groups",
          .value = "FILE",
          .help = "Table with a sample id and one label per sample. Samples with the same label stay in one fold.",
          .group = "Data"};
}

Option covariates_option(std::string help) {
  return {.name = "covariates", .value = "FILE", .help = std::move(help), .group = "Data"};
}

Option config_option() {
  return {.name = "config",
          .value = "FILE",
          .help =
              "TOML file with any of these options (view = [\"a=a.csv\", ...], max_depth = 3, json = true, ...). "
              "The command line takes precedence.",
          .group = "Data"};
}

/// "age,sex" to age and sex.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string name = text.substr(begin, end - begin);
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    name.erase(name.find_last_not_of(' ') + 1);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw UsageError(fmt::format("--adjust names {} twice.", name));
    }
    if (!name.empty()) names.push_back(name);
    begin = end + 1;
  }
  return names;
}

EngineParams engine_params_of(const std::vector<std::string>& texts) {
  EngineParams pairs;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--engine_param \"{}\" is not of the form NAME=VALUE.", text));
    }
    pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return pairs;
}

}  // namespace

std::vector<Option> data_options() {
  return combined({{view_option("Table (CSV, TSV, either .gz, or NPY): rows are samples, columns are features. Give at "
                                "least two. NAME is the file's name unless given. NAME=-: from standard input.")},
                   {join_option()},
                   {groups_option()},
                   {{.name = "weights",
                     .value = "FILE",
                     .help = "Table with a sample id and one weight per sample.",
                     .group = "Data"},
                    covariates_option("Table with a sample id and columns of covariates (numbers or text), such as age "
                                      "and batch. Their effect is removed from the components."),
                    {.name = "adjust",
                     .value = "NAME,...",
                     .help = "Covariates to remove: columns of --covariates, by default all; without --covariates, "
                             "columns of the views, which are then not used as features.",
                     .group = "Data"}},
                   {config_option()},
                   reading_options()});
}

std::vector<Option> single_data_options() {
  return combined({{view_option("The table (CSV, TSV, either .gz, or NPY): rows are samples, columns are features.")},
                   {groups_option(), config_option()},
                   reading_options()});
}

std::vector<Option> output_options(std::string out_help) {
  return {{.name = "out", .value = "DIR", .help = std::move(out_help), .group = "Output"},
          {.name = "json", .kind = Option::Kind::flag, .help = "Print the results as JSON.", .group = "Output"},
          {.name = "quiet",
           .kind = Option::Kind::flag,
           .help = "Print only warnings and errors.",
           .group = "Output",
           .excludes = "json"}};
}

Option labels_option() {
  return {.name = "labels",
          .value = "FILE",
          .help =
              "Table with a sample id and one label per sample (text or number), to colour the samples in the "
              "report. The fit does not use them.",
          .group = "Output"};
}

Option engine_param_option() {
  return {
      .name = "engine_param",
      .value = "NAME=VALUE",
      .help = "Parameter passed unchanged to XGBoost or LightGBM (see --engine), as in device=cuda. May be repeated.",
      .group = "Parameters",
      .repeats = true};
}

Option model_covariates_option() {
  return covariates_option("Table with a sample id and the covariates that the model was fitted with.");
}

Option model_argument() {
  return {.name = "MODEL",
          .value = "FILE",
          .help = "Model file written by fit.",
          .group = "Arguments",
          .positional = true,
          .required = true};
}

Option join_option() {
  return {.name = "join",
          .value = "inner|outer",
          .help = "Which samples to keep: inner, those that are in all views; outer, those of any view, which then may "
                  "lack views. [inner]",
          .group = "Data"};
}

Join join_of(const Arguments& arguments) {
  const std::string text = arguments.text("join", "inner");
  if (text == "outer") return Join::outer;
  if (text != "inner") throw UsageError(fmt::format("--join {}: use inner or outer.", text));
  return Join::inner;
}

Option component_option(const std::string& without) {
  return {.name = "component",
          .kind = Option::Kind::integer,
          .value = "INT",
          .help = "Only this component, counted from 1. " + without};
}

Option top_option(std::string help) {
  return {.name = "top", .kind = Option::Kind::integer, .value = "INT", .help = std::move(help)};
}

std::optional<Index> component_of(const Arguments& arguments, const Model& model) {
  const std::optional<Index> component = arguments.integer("component");
  if (!component) return std::nullopt;
  if (*component < 1 || *component > model.n_components()) {
    throw UsageError(fmt::format("--component must be from 1 to {}, the number of components of the model, not {}.",
                                 model.n_components(), *component));
  }
  return *component - 1;
}

std::optional<Index> top_of(const Arguments& arguments) {
  const std::optional<Index> top = arguments.integer("top");
  if (top && *top < 1) throw UsageError(fmt::format("--top must be at least 1, not {}.", *top));
  return top;
}

DataOptions data_options_of(const Arguments& arguments) {
  return {.reading = given_reading_options(arguments),
          .join = arguments.declares("join") ? join_of(arguments) : Join::inner,
          .groups = arguments.text("groups"),
          .weights = arguments.declares("weights") ? arguments.text("weights") : "",
          .labels = arguments.declares("labels") ? arguments.text("labels") : "",
          .covariates = arguments.declares("covariates") ? arguments.text("covariates") : "",
          .adjust = arguments.declares("adjust") ? names_in(arguments.text("adjust")) : std::vector<std::string>{},
          .config = arguments.text("config"),
          .engine_params =
              arguments.declares("engine_param") ? engine_params_of(arguments.texts("engine_param")) : EngineParams{}};
}

std::vector<ViewFile> learning_files(const Arguments& arguments) {
  std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  if (files.size() < 2) {
    throw UsageError(fmt::format("{} needs at least two views, and {} given; name them with --view NAME=FILE.",
                                 arguments.command(), files.empty() ? "none is" : "only one is"));
  }
  return files;
}

std::vector<ViewFile> single_file(const Arguments& arguments) {
  std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  if (files.size() != 1) {
    throw UsageError(fmt::format("{} learns from one table, and {} given; name it with --view FILE.",
                                 arguments.command(), files.empty() ? "none is" : fmt::format("{} are", files.size())));
  }
  return files;
}

std::vector<std::string> input_paths(const std::vector<ViewFile>& files, const DataOptions& options) {
  std::vector<std::string> paths = paths_of(files);
  paths.insert(paths.end(), {options.groups, options.weights, options.labels, options.covariates, options.config});
  return paths;
}

std::vector<View> views_of(const std::vector<Table>& tables) {
  std::vector<View> views;
  for (const Table& table : tables) views.push_back({table.name, table.values, table.feature_names});
  return views;
}

}  // namespace treecca::cli
