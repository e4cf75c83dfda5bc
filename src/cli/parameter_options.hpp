// The parameters of a fit as command-line options, made from their declarations.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "treecca/parameters.hpp"

namespace treecca::cli {

/// What was given for which parameter, as text: the parameters that are absent keep their default.
using ParameterTexts = std::map<std::string, std::string>;

/// Adds one option per parameter, spelled with underscores or dashes. Parsing fills `texts`, which
/// must live as long as `verb`.
void add_parameter_options(CLI::App& verb, ParameterTexts& texts);
/// The same without some of them, and with other defaults.
void add_parameter_options(CLI::App& verb, ParameterTexts& texts, const Parameters& defaults,
                           const std::set<std::string_view>& without);

/// Adds only --n_jobs (--threads), for verbs that compute without fitting.
void add_threads_option(CLI::App& verb, ParameterTexts& texts);

/// The preset's values, and on top of them everything else that was given. UsageError names the
/// option at fault.
Parameters resolve_parameters(const ParameterTexts& texts, Parameters (*of_preset)(Preset) = Parameters::of_preset);

}  // namespace treecca::cli
