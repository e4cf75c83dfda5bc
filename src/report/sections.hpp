// The sections of the report, each a piece of HTML.
#pragma once

#include <string>

#include "treecca/report.hpp"

namespace treecca::report {

/// At most so many samples are drawn: more tell nothing new and make the file heavy.
inline constexpr Index kMaxSamples = 2000;

std::string title(const Model& model);
std::string summary(const Model& model, const ReportSource& source);
std::string correlations(const Model& model);
std::string curves(const Model& model);
/// A chooser of components; for the one chosen the samples, and per view top features and their shapes.
std::string components(const Model& model, const ReportSource& source);
std::string samples(const Model& model, const ReportSource& source);
/// What the script draws: {views, ids, labels, variates, kind}.
std::string sample_data(const Model& model, const ReportSource& source);
std::string what_was_run(const Model& model, const ReportSource& source);
std::string glossary();

}  // namespace treecca::report
