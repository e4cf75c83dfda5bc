// Options from a TOML file (`--config`).
//
// Keys are the names of the command's options without the dashes (any spelling in its help), at the top of the file or
// in a section named like the command. Flags are true or false, lists are TOML arrays, and `view` is a text, a list of
// texts or a table of files by name. The command line takes precedence over the file. Errors: FileError if the file
// cannot be read; UsageError with file, line and key for anything else: invalid TOML, unknown or repeated keys,
// sections of other commands, values of the wrong type or out of range.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace treecca::cli {

/// Gives every option that is not on the command line its value from the file.
void apply_config_file(Arguments& arguments, const std::string& path);

}  // namespace treecca::cli
