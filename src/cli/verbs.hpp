// The verbs of the program. Each function adds one subcommand to the application; its callback does
// the work when the command line names it.
//
// Callbacks write results to stdout and notes to stderr, and throw the errors of treecca/error.hpp;
// main turns those into a message and an exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace treecca::cli {

void add_demo(CLI::App& app);
void add_fit(CLI::App& app);
void add_cv(CLI::App& app);
void add_ssl(CLI::App& app);
void add_transform(CLI::App& app);
void add_score(CLI::App& app);
void add_importance(CLI::App& app);
void add_inspect(CLI::App& app);
void add_convert(CLI::App& app);
void add_export(CLI::App& app);

}  // namespace treecca::cli
