// report.html of a fit: what the library's report needs to know of the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/fit_report.hpp"

namespace treecca::cli {

/// How to repeat the fit: the views and every parameter that is not the default.
std::string repeat_command(const FitReport& report, const std::string& groups);

std::string html_report(const FitReport& report, const std::vector<std::string>& sample_ids, const std::string& groups);

}  // namespace treecca::cli
