// From the words of a command line to the arguments of a command, and the help texts.
//
// Words: "--name value", "--name=value", "-k value", "-k3"; "--" ends the options. A word that spells an option of the
// command is never taken as the value of another one.
//
// The parser is our own because every message is: a parsing library would still need each mistake found beforehand
// to describe it, and cost 3.5 seconds of compilation for the loop that remains.
#pragma once

#include <string>
#include <vector>

#include "cli/verbs.hpp"

namespace treecca::cli {

/// The command of that name; UsageError with a suggestion if there is none.
const Verb& find_verb(const std::vector<Verb>& verbs, const std::string& name);

/// Reads the words behind the command's name, then the config file of --config where the command has one.
/// UsageError for options that are unknown, repeated, in conflict, without a value or with a wrong one, for surplus
/// words and for missing arguments; FileError for a config file that cannot be read.
Arguments parse_arguments(const Verb& verb, const std::vector<std::string>& words);

/// Whether the words ask for help: -h or --help before a "--".
bool asks_for_help(const std::vector<std::string>& words);

/// The text of `treecca --help`, and of `treecca VERB --help`. Lines have at most kTextWidth columns.
std::string program_help(const std::vector<Verb>& verbs);
std::string verb_help(const Verb& verb);

/// UsageError for an option that does not exist, with a suggestion; `of` is "treecca" or "treecca fit".
[[noreturn]] void refuse_option(const std::string& word, const std::vector<std::string>& known, const std::string& of);

}  // namespace treecca::cli
