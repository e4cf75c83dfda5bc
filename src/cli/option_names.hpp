// The spellings of a verb's options, for suggestions and help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace treecca::cli {

/// All spellings with their dashes, e.g. "-k", "--n_components", "--n-components".
std::vector<std::string> option_names(const CLI::Option& option);
std::vector<std::string> option_names(const CLI::App& verb);

/// The same without the dashed twins of names with underscores: what a person should be shown.
std::vector<std::string> shown_names(const CLI::Option& option);

/// What may stand in a config file: the names of the options, without dashes in front.
std::vector<std::string> config_keys(const CLI::App& verb);

/// ` Did you mean "x"?`, or "" when none is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace treecca::cli
