// Options as data, and the values that a command line or a config file gives them.
//
// A command lists its options (verbs.hpp); parsing, help, config files and suggestions follow from that list.
// Plain values; reading them is thread-safe. Errors: UsageError names the option.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "treecca/parameters.hpp"

namespace treecca::cli {

struct Option {
  enum class Kind { text, flag, boolean, integer, number };  // boolean: takes "true" or "false"; a flag takes no value

  std::string name;        // "max_depth": --max_depth or --max-depth; a positional argument: "MODEL"
  char letter = 0;         // 'k': -k as well
  std::string alias = {};  // "seed": --seed as well
  Kind kind = Kind::text;
  std::string value = {};                 // the value as help shows it: "FILE"; with choices: made from them
  std::vector<std::string> choices = {};  // the only values allowed; empty: any
  std::string help = {};                  // sentences, ending with the default in brackets
  std::string group = "Options";          // heading in the help
  std::string excludes = {};              // name of an option that cannot be given as well
  bool positional = false;
  bool required = false;
  bool repeats = false;    // may be given more than once
  bool parameter = false;  // of the fit: name and range are declared in treecca/parameters.hpp
  bool per_view = false;   // takes one value, or one per view: a list in config files

  bool takes_value() const { return kind != Kind::flag; }
  /// "{gain,cover}" or "FILE"; empty for a flag.
  std::string value_label() const;
  /// The spelling used in messages: "--out" or "MODEL".
  std::string shown_name() const { return positional ? name : "--" + name; }
};

/// The option that a word names ("--max-depth", "-k"), or null. Dashes and underscores are the same.
const Option* find_option(const std::vector<Option>& options, std::string_view word);

/// Every spelling of the named options as typed ("-k", "--n_components"); positional arguments are left out.
std::vector<std::string> spellings(const std::vector<Option>& options);

/// Whether giving both is an error.
bool exclude_each_other(const Option& a, const Option& b);

/// Throws UsageError if the text is not one of the option's choices, or not a number where it takes one. Parameters
/// are not checked here: parse_parameters does.
void check_value(const Option& option, const std::string& text);

/// The values given to a command. Asking for an option that the command does not declare is a std::logic_error.
class Arguments {
 public:
  Arguments(std::string command, std::vector<Option> options);

  const std::string& command() const { return command_; }
  const std::vector<Option>& options() const { return options_; }
  bool declares(std::string_view name) const;

  bool has(std::string_view name) const { return !texts(name).empty(); }
  std::string text(std::string_view name, std::string fallback = "") const;
  const std::vector<std::string>& texts(std::string_view name) const;
  std::optional<Index> integer(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  /// Every parameter given.
  ParameterTexts parameters() const;

  /// Appends a value ("true" for a flag) after check_value.
  void add(const Option& option, std::string text);

 private:
  std::size_t index_of(std::string_view name) const;

  std::string command_;
  std::vector<Option> options_;
  std::vector<std::vector<std::string>> values_;  // one entry per option
};

/// Concatenates lists of options.
std::vector<Option> combined(std::initializer_list<std::vector<Option>> lists);

/// One option per parameter of a fit. Help shows the defaults.
std::vector<Option> parameter_options(const Parameters& defaults = {});
/// The same for ssl: its defaults, without the parameters that it does not accept.
std::vector<Option> ssl_parameter_options();

/// --n_jobs (--threads) alone, for commands that compute without fitting.
Option threads_option();
/// --random_state.
Option seed_option();

/// The values of the preset, overridden by every other parameter given; validated for `n_views` views (0: any number).
/// UsageError names the parameter at fault.
Parameters parse_parameters(const ParameterTexts& texts, Index n_views = 0,
                            Parameters (*of_preset)(Preset) = Parameters::of_preset);

}  // namespace treecca::cli
