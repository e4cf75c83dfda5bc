// Writes the command line that repeats a fit and gives the same model.
#pragma once

#include <string>

#include "cli/data_options.hpp"
#include "treecca/parameters.hpp"

namespace treecca::cli {

/// A word as a shell reads it, quoted if needed.
std::string shell_word(const std::string& word);

/// The files of the views, the other options that name data, and every parameter that was given, differs from the
/// preset and affects the model.
std::string repeat_command(const std::string& verb, const std::vector<ViewFile>& files, const DataOptions& data,
                           const Parameters& given, Parameters (*of_preset)(Preset) = Parameters::of_preset);

}  // namespace treecca::cli
