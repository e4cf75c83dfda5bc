// report.html of a fit: what the library's report needs to know of the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/fit_report.hpp"

namespace treecca::cli {

/// A word as a shell takes it, quoted where it must be.
std::string shell_word(const std::string& word);

/// How to repeat the fit: the views, other options given as `more_words`, every parameter that is not the default.
std::string repeat_command(const FitReport& report, const std::string& more_words);

std::string html_report(const FitReport& report, const std::vector<std::string>& sample_ids,
                        const std::string& more_words);

}  // namespace treecca::cli
