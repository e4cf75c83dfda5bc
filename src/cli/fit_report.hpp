// What a fit tells: as text for people and as JSON for programs. Both are made from the same
// FitReport.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/joined_inputs.hpp"
#include "treecca/fit.hpp"

namespace treecca::cli {

struct FitReport {
  JoinedInputs inputs;
  FitResult result;
  std::string command;             // how to repeat the fit
  std::vector<Stage> timings;      // reading, the stages of the fit, writing
  std::string out;                 // the folder written; empty without one
  std::vector<std::string> files;  // the names of the files in it
};

/// The correlations of every component beside linear CCA, and their sums.
std::string correlations_text(const Model& model);
/// What screening left to the trees of every view; empty when it was not used. Ends with an empty line.
std::string screening_text(const Model& model);
/// How many features every encoder of a view may use; null when it was not screened.
nlohmann::ordered_json kept_json(const ViewModel& view);
/// Correlations, screening, features that matter, times, files.
std::string results_text(const FitReport& report);

nlohmann::ordered_json report_json(const FitReport& report);

/// The parameters as typed values, as in a model file: numbers, true or false, texts, and lists
/// where the views differ. `all`: also those that do not affect the model.
nlohmann::ordered_json parameters_json(const Parameters& parameters, bool all);

/// The text that nlohmann's dump gives, indented; bytes that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace treecca::cli
