// From tables to a written, reported fit: what the verbs fit, ssl and demo share.
//
// Joins, fits with progress and Ctrl-C, writes the files (all or none) and prints. Throws the
// errors of the library.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/data_options.hpp"
#include "cli/fit_report.hpp"
#include "cli/output.hpp"
#include "treecca/parameters.hpp"
#include "treecca/table.hpp"

namespace treecca::cli {

struct FitRun {
  std::vector<Table> tables;         // joined in place
  std::vector<std::string> sources;  // where each table is from; empty strings for made-up data
  std::string command;               // that repeats the run
  Parameters parameters;
  std::string groups;   // file of --groups, or empty
  std::string weights;  // file of --weights, or empty
  std::vector<std::pair<std::string, std::string>> engine_params;
  std::optional<OutputFolder> out;
  std::vector<OutputFile> more_files;  // written beside the results
  /// What learns from the joined tables; empty: treecca::fit.
  std::function<FitResult(const std::vector<View>&, const FitOptions&)> learn;
  double seconds_reading = 0;
  bool json = false;   // print the summary as JSON and nothing else
  bool quiet = false;  // print nothing but warnings
};

/// Everything about data and output that fit and ssl share: reads the tables, opens the folder of --out (if given).
void prepare(FitRun& run, const CLI::App& verb, const std::vector<ViewFile>& files, const DataOptions& data,
             const std::string& out);

/// Neither the results of a fit nor the removal of those of an earlier one may hit an input. UsageError.
void check_inputs_survive(const std::string& folder, const std::vector<ViewFile>& files, const DataOptions& data);

/// Afterwards run.tables hold the joined rows that were fitted.
FitReport run_fit(FitRun& run);

/// Seconds on a clock that never goes back.
double now_seconds();

}  // namespace treecca::cli
