// Options from a TOML file (`--config`).
//
// Keys are the names of the command's options without the dashes (any spelling that its help lists), at the top of the
// file or in a section named like the command. Flags are true or false, lists are TOML arrays, and `view` is a text, a
// list of texts or a table of files by name. The command line takes precedence over the file. Errors: FileError when
// the file cannot be read; UsageError that names file, line and key for anything else: what is not TOML, a key that is
// unknown or given twice, a section that is not the command's, a value of the wrong type or out of range.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace treecca::cli {

/// Gives every option that the command line left out the value it has in the file.
void apply_config_file(Arguments& arguments, const std::string& path);

}  // namespace treecca::cli
