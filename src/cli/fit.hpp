// Runs a fit from tables to written results: shared by the commands fit, ssl and demo.
//
// Joins the tables, fits with progress and Ctrl-C, writes all files or none, and prints the summary. Throws the errors
// of the library.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/data_options.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "treecca/parameters.hpp"
#include "treecca/report.hpp"
#include "treecca/table.hpp"

namespace treecca::cli {

struct FitRun {
  std::vector<Table> tables;         // joined in place
  std::vector<std::string> sources;  // file of each table; empty strings for generated data
  std::string command;               // the command line that repeats the run
  Parameters parameters;
  DataOptions data;  // groups, weights, labels, engine parameters
  std::optional<OutputFolder> out;
  std::vector<OutputFile> more_files;  // written with the results
  /// Learns from the joined tables; empty: treecca::fit.
  std::function<FitResult(const std::vector<View>&, const FitOptions&)> learn;
  double seconds_reading = 0;
  bool json = false;   // print the summary as JSON and nothing else
  bool quiet = false;  // print only warnings
};

/// Reads the tables and sets the inputs that fit and ssl share: groups, weights, engine parameters, output. Checks the
/// folder of --out first; UsageError if writing to it would overwrite or remove an input.
void prepare(FitRun& run, const Arguments& arguments, const std::vector<ViewFile>& files, const DataOptions& data);

/// The files that a fit writes, for the help.
std::vector<WrittenFile> fit_written_files();

/// Joins run.tables in place, fits, writes and prints.
RunSummary run_fit(FitRun& run);

}  // namespace treecca::cli
