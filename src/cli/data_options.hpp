// The options that name the tables to learn from: shared by the verbs that fit.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/view_files.hpp"
#include "treecca/fit.hpp"

namespace treecca::cli {

struct DataOptions {
  std::vector<std::string> views;
  std::string id;
  std::string groups;
  std::string weights;
  std::string config;
  std::vector<std::string> engine_params;
};

/// --view, --id, --groups, --weights, --config and --engine_param. `options` must live as long as `verb`.
void add_data_options(CLI::App& verb, DataOptions& options);
/// The same for a verb that learns from one table: --view once, no --weights.
void add_single_data_options(CLI::App& verb, DataOptions& options);

/// The files of --view, after --config was applied. UsageError, naming the verb, when there are fewer than two.
std::vector<ViewFile> learning_files(CLI::App& verb, const DataOptions& options);

/// The one file of --view, after --config was applied. UsageError, naming the verb, for any other number.
std::vector<ViewFile> single_file(CLI::App& verb, const DataOptions& options);

/// Everything that a verb reads, which it must not write over: the views, groups, weights and the config file.
std::vector<std::string> input_paths(const std::vector<ViewFile>& files, const DataOptions& options);

/// Windows onto the tables: valid while they live.
std::vector<View> views_of(const std::vector<Table>& tables);

/// The labels of --groups in the order of the (joined) tables, or none.
std::vector<std::int64_t> groups_of(const std::string& file, const std::vector<Table>& tables);

/// The NAME=VALUE pairs of --engine_param. UsageError for what is none.
std::vector<std::pair<std::string, std::string>> engine_params_of(const DataOptions& options);

/// The numbers of --weights in the order of the (joined) tables, or none. DataError for a sample without a weight.
std::vector<double> weights_of(const std::string& file, const std::vector<Table>& tables);

}  // namespace treecca::cli
