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
              "Options on the command line take precedence.",
          .group = "Data"};
}

std::string without_blanks(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The parts of a text between marks, trimmed, without empty parts.
std::vector<std::string> parts_of(const std::string& text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(mark, begin), text.size());
    std::string part = without_blanks(text.substr(begin, end - begin));
    if (!part.empty()) parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

/// "age" or "class(plate)": adds the covariate, and returns its name.
std::string add_covariate(const std::string& text, DataOptions& data) {
  constexpr std::string_view kClass = "class(";
  const bool is_class = text.starts_with(kClass) && text.ends_with(')');
  std::string name = is_class ? without_blanks(text.substr(kClass.size(), text.size() - kClass.size() - 1)) : text;
  const auto add = [&](std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (is_class) add(data.classes);
  add(data.adjust);
  return name;
}

/// "age*sex,class(plate)": age, sex, their product, and plate, whose numbers are classes.
void read_adjust(const std::string& text, DataOptions& data) {
  std::vector<std::string> seen;
  for (const std::string& term : parts_of(text, ',')) {
    const std::vector<std::string> factors = parts_of(term, '*');
    if (factors.size() > 2) throw UsageError(fmt::format("--adjust {}: products have two factors.", term));
    std::vector<std::string> names;
    for (const std::string& factor : factors) names.push_back(add_covariate(factor, data));
    if (names.size() == 2 && names[0] == names[1]) {
      throw UsageError(fmt::format("--adjust {}: a product needs two different covariates.", term));
    }
    const std::string name = fmt::format("{}", fmt::join(names, "*"));
    if (names.size() == 2) data.products.push_back(name);
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      throw UsageError(fmt::format("--adjust names {} twice.", name));
    }
    seen.push_back(name);
  }
  if (seen.empty()) {
    throw UsageError(
        "--adjust names no covariate. Name some, or leave the option out to adjust for all columns of --covariates.");
  }
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
  return combined(
      {{view_option("Table (CSV, TSV, either .gz, or NPY): rows are samples, columns are features. Repeat for "
                    "each view. NAME: by default the file's name. NAME=-: from standard input.")},
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
         .help = "Covariates to remove: columns of --covariates, or without it columns of the views, "
                 "which then are not used as features. class(NAME): numbers that are classes, such as "
                 "plates. NAME*NAME: both, where the effect of one depends on the other. [all columns "
                 "of --covariates]",
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
              "Table with a sample id and one label per sample (text or number). The report colours samples by it; "
              "the fit does not use it.",
          .group = "Output"};
}

Option engine_param_option() {
  return {
      .name = "engine_param",
      .value = "NAME=VALUE",
      .help = "Parameter passed unchanged to XGBoost or LightGBM (see --engine), such as device=cuda. May be repeated.",
      .group = "Parameters",
      .repeats = true};
}

Option model_covariates_option() {
  return covariates_option("Table with a sample id and the covariates that the model was fitted with.");
}

Option model_argument() {
  return {.name = "MODEL",
          .value = "FILE",
          .help = "Model file written by fit, ssl or demo.",
          .group = "Arguments",
          .positional = true,
          .required = true};
}

Option join_option() {
  return {.name = "join",
          .value = "inner|outer",
          .help =
              "Samples to keep. inner: samples in all views; outer: samples in any view, which may lack other views. "
              "[inner]",
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
  DataOptions data{.reading = given_reading_options(arguments),
                   .join = arguments.declares("join") ? join_of(arguments) : Join::inner,
                   .groups = arguments.text("groups"),
                   .weights = arguments.declares("weights") ? arguments.text("weights") : "",
                   .labels = arguments.declares("labels") ? arguments.text("labels") : "",
                   .covariates = arguments.declares("covariates") ? covariate_file_of(arguments) : CovariateFile{},
                   .config = arguments.text("config"),
                   .engine_params = arguments.declares("engine_param")
                                        ? engine_params_of(arguments.texts("engine_param"))
                                        : EngineParams{}};
  if (arguments.declares("adjust") && arguments.has("adjust")) read_adjust(arguments.text("adjust"), data);
  return data;
}

CovariateFile covariate_file_of(const Arguments& arguments) {
  CovariateFile file{arguments.text("covariates"), {}};
  if (!file.path.empty()) {
    file.reading = read_options_of_covariates(arguments, parse_view_files(arguments.texts("view")));
  }
  return file;
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
  paths.insert(paths.end(), {options.groups, options.weights, options.labels, options.covariates.path, options.config});
  return paths;
}

std::vector<View> views_of(const std::vector<Table>& tables) {
  std::vector<View> views;
  for (const Table& table : tables) views.push_back({table.name, table.values, table.feature_names, table.levels});
  return views;
}

}  // namespace treecca::cli
