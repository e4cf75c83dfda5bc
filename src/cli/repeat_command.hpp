// How to repeat a fit: the command line that gives the same model.
#pragma once

#include <string>

#include "cli/data_options.hpp"
#include "treecca/parameters.hpp"

namespace treecca::cli {

/// A word as a shell takes it, quoted where it must be.
std::string shell_word(const std::string& word);

/// The files of the views, the other options that name data, and every parameter as it was given that differs from its
/// preset and affects the model.
std::string repeat_command(const std::string& verb, const std::vector<ViewFile>& files, const DataOptions& data,
                           const Parameters& given, Parameters (*of_preset)(Preset) = Parameters::of_preset);

}  // namespace treecca::cli
