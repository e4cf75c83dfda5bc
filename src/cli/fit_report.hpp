// What a fit tells: as text for people and as JSON for programs. Both are made from the same
// FitReport.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/table.hpp"

namespace treecca::cli {

/// One view as it was read, before the join.
struct InputSummary {
  std::string view;
  std::string source;  // the file; empty for made-up data
  std::size_t rows = 0;
  std::size_t features = 0;
  double missing_share = 0;
};

InputSummary summarize_input(const Table& table, const std::string& source);

struct FitReport {
  std::vector<InputSummary> inputs;
  JoinReport join;
  FitResult result;
  std::vector<Stage> timings;      // reading, the stages of the fit, writing
  std::string out;                 // the folder written; empty without one
  std::vector<std::string> files;  // the names of the files in it
};

/// Rows x features and missing values of each view, and what the join did.
std::string inputs_text(const FitReport& report);
/// The correlations of every component beside linear CCA, and their sums.
std::string correlations_text(const Model& model);
/// Correlations, features that matter, times, files.
std::string results_text(const FitReport& report);

nlohmann::ordered_json report_json(const FitReport& report);

/// The parameters as typed values, as in a model file: numbers, true or false, texts, and lists
/// where the views differ. `all`: also those that do not affect the model.
nlohmann::ordered_json parameters_json(const Parameters& parameters, bool all);

/// The text that nlohmann's dump gives, indented; bytes that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace treecca::cli
