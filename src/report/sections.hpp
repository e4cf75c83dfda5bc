// The sections of the report, each a piece of HTML.
#pragma once

#include <string>

#include "treecca/report.hpp"

namespace treecca::report {

/// The maximum number of samples drawn: more would make the file large and show nothing new.
inline constexpr Index kMaxSamples = 2000;

std::string title(const Model& model);
std::string overview(const RunSummary& run);
std::string correlations(const Model& model);
std::string curves(const Model& model);
/// A chooser of components; for the chosen one the samples, and per view the top features and their curves.
std::string components(const RunSummary& run);
std::string samples(const RunSummary& run);
/// The data of the script: {views, ids, labels, weights, variates, kind}.
std::string sample_data(const RunSummary& run);
std::string what_was_run(const RunSummary& run);
std::string glossary();

/// The variates to show: out of fold if there are any.
inline const std::vector<Matrix<float>>& shown_variates(const RunSummary& run) {
  return run.result.out_of_fold.empty() ? run.result.variates : run.result.out_of_fold;
}

}  // namespace treecca::report
