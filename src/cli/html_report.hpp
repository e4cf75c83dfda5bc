// report.html of a fit: what the library's report needs to know of the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/fit_report.hpp"

namespace treecca::cli {

std::string html_report(const FitReport& report, const std::vector<std::string>& sample_ids);

}  // namespace treecca::cli
