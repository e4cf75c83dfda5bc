// Parses the words of a command line into the arguments of a command, and writes the help texts.
//
// Words: "--name value", "--name=value", "-k value", "-k3"; "--" ends the options. A word that spells an option of the
// command is never the value of another option.
// We do not use a parsing library, because each mistake would still have to be detected beforehand for a good message,
// and the library takes 3.5 seconds to compile.
#pragma once

#include <string>
#include <vector>

#include "cli/verbs.hpp"

namespace treecca::cli {

/// Returns the command of that name. Failure: UsageError with a suggestion.
const Verb& find_verb(const std::vector<Verb>& verbs, const std::string& name);

/// Reads the words after the command's name, then the config file of --config if the command has this option. Failure:
/// UsageError for options that are unknown, repeated, in conflict, without a value or with a wrong one, for surplus
/// words and for missing arguments; FileError for a config file that cannot be read.
Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words);

/// Whether the words ask for help: -h or --help, before any "--".
bool asks_for_help(const std::vector<std::string>& words);

/// The text of `treecca --help`, and of `treecca VERB --help`. Lines have at most kTextWidth columns.
std::string program_help(const std::vector<Verb>& verbs);
std::string verb_help(const Verb& verb);

/// "treecca transform MODEL [OPTIONS]".
std::string usage_line(const Verb& verb);

/// Throws UsageError for an option that does not exist, with a suggestion; `of` is "treecca" or "treecca fit".
[[noreturn]] void refuse_option(const std::string& word, const std::vector<std::string>& known, const std::string& of);

}  // namespace treecca::cli
