// Options from a TOML file (`--config`).
//
// Keys are the long names of the verb's options without the dashes, at the top of the file or in a
// section named like the verb; lists are TOML arrays. What stands on the command line wins over the
// file. Failure: FileError when the file cannot be read; UsageError for a key that is unknown or
// given twice, a section that is not the verb's, a value that the option refuses.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace treecca::cli {

/// Gives every option of `verb` that the command line left out the value it has in the file.
void apply_config_file(CLI::App& verb, const std::string& path);

}  // namespace treecca::cli
