// The commands of the program, as data.
//
// To add a command, write a file with a function that returns its Verb, and add a line here and in verbs.cpp. `run`
// writes results to stdout and notes to stderr, and throws the errors of treecca/error.hpp, which main turns into a
// message and an exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace treecca::cli {

/// A file in the folder of --out, for the help and docs/cli.md. VIEW is the name of a view, N for a component.
struct WrittenFile {
  std::string name;
  std::string content;  // sentences
};

struct Verb {
  std::string name;
  std::string help;  // one line for the list of commands
  std::vector<Option> options = {};
  std::vector<WrittenFile> files = {};
  std::string footer = {};  // notes and examples at the end of --help
  void (*run)(const Arguments& arguments) = nullptr;
};

Verb demo_verb();
Verb fit_verb();
Verb cv_verb();
Verb ssl_verb();
Verb transform_verb();
Verb score_verb();
Verb permutation_test_verb();
Verb stability_verb();
Verb importance_verb();
Verb explain_verb();
Verb permutation_importance_verb();
Verb partners_verb();
Verb inspect_verb();
Verb convert_verb();
Verb export_verb();

/// All commands, in the order of the help.
std::vector<Verb> all_verbs();

}  // namespace treecca::cli
