// How to read the files of --view: the options --id, --header, --decimal, --thousands, --na, --drop,
// --categorical and --text_columns.
//
// A value holds for all views, or as NAME=VALUE for the view of that name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "cli/view_files.hpp"

namespace treecca::cli {

std::vector<Option> reading_options();

/// "age,sex" to age and sex. UsageError, naming the option, for a name that is there twice.
std::vector<std::string> names_in(const std::string& text, const std::string& option);

/// The options given, each with its value, in the order of reading_options().
std::vector<std::pair<std::string, std::string>> given_reading_options(const Arguments& arguments);

/// As for a view called "covariates": values for all views hold for the file of --covariates too.
ReadOptions read_options_of_covariates(const Arguments& arguments, std::vector<ViewFile> views);

/// One entry per file. UsageError for a value that an option does not allow.
std::vector<ReadOptions> read_options_of(const Arguments& arguments, const std::vector<ViewFile>& files);

}  // namespace treecca::cli
