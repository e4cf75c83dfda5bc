// Options that name tables, models and results, shared by several commands.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "cli/view_files.hpp"
#include "treecca/fit.hpp"

namespace treecca::cli {

/// The file of --covariates (empty: none) and its reading options.
struct CovariateFile {
  std::string path = {};
  ReadOptions reading = {};
};

/// Values of the options that name the training data.
struct DataOptions {
  std::vector<std::pair<std::string, std::string>> reading = {};  // given options of cli/reading.hpp, with their values
  Join join = Join::inner;
  std::string groups = {};
  std::string weights = {};
  std::string labels = {};
  CovariateFile covariates = {};
  std::vector<std::string> adjust = {};    // names of the covariates
  std::vector<std::string> classes = {};   // the covariates whose numbers are classes
  std::vector<std::string> products = {};  // e.g. age*sex; both factors are in `adjust`
  std::string config = {};
  EngineParams engine_params = {};
};

/// --view, --join, the options of cli/reading.hpp, --groups, --weights, --covariates, --adjust and --config.
std::vector<Option> data_options();
/// The same for a command that learns from one table: --view once, no --weights.
std::vector<Option> single_data_options();
/// --out, --json and --quiet, for commands that fit.
std::vector<Option> output_options(std::string out_help);
/// --labels, for commands that write a report.
Option labels_option();
/// --engine_param, to be listed after the parameters.
Option engine_param_option();
/// --covariates, for the samples that a command applies a model to.
Option model_covariates_option();
/// The positional argument MODEL.
Option model_argument();

/// --join, and its value. UsageError for another word.
Option join_option();
Join join_of(const Arguments& arguments);

/// --component, for commands that read a model. without: the effect of leaving it out, for the help.
Option component_option(const std::string& without);
/// --top.
Option top_option(std::string help);

/// The component of --component, counted from 0; none if it is not given. UsageError if the model does not have it.
std::optional<Index> component_of(const Arguments& arguments, const Model& model);
/// The value of --top, if it is given. UsageError below 1.
std::optional<Index> top_of(const Arguments& arguments);

/// The value of --covariates; the options of cli/reading.hpp apply to it as to a view called "covariates".
CovariateFile covariate_file_of(const Arguments& arguments);

/// The values of data_options() or single_data_options(), and of engine_param_option(). UsageError for an engine
/// parameter that is not NAME=VALUE.
DataOptions data_options_of(const Arguments& arguments);

/// The files of --view. UsageError, naming the command, for fewer than two.
std::vector<ViewFile> learning_files(const Arguments& arguments);

/// The one file of --view. UsageError, naming the command, for any other number.
std::vector<ViewFile> single_file(const Arguments& arguments);

/// All files that a command reads and must not overwrite: the views, groups, weights, labels, covariates and the config
/// file.
std::vector<std::string> input_paths(const std::vector<ViewFile>& files, const DataOptions& options);

/// Views of the tables, valid while the tables exist.
std::vector<View> views_of(const std::vector<Table>& tables);

}  // namespace treecca::cli
