// The options that control how the files of --view are read: --id, --header, --decimal, --thousands, --na, --drop,
// --categorical and --text_columns.
//
// A value applies to all views, or in the form NAME=VALUE to one view.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "cli/view_files.hpp"

namespace treecca::cli {

std::vector<Option> reading_options();

/// "age,sex" to age and sex. Failure: UsageError, naming the option, for a repeated name.
std::vector<std::string> names_in(const std::string& text, const std::string& option);

/// The options given, each with its value, in the order of reading_options().
std::vector<std::pair<std::string, std::string>> given_reading_options(const Arguments& arguments);

/// The same for a view called "covariates": values for all views apply to the file of --covariates too.
ReadOptions read_options_of_covariates(const Arguments& arguments, std::vector<ViewFile> views);

/// One entry per file. Failure: UsageError for a value that an option does not allow.
std::vector<ReadOptions> read_options_of(const Arguments& arguments, const std::vector<ViewFile>& files);

}  // namespace treecca::cli
