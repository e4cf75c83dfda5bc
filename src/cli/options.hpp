// Options as data, and their values from a command line or a config file.
//
// A command lists its options (verbs.hpp); parsing, help, config files and suggestions are derived from that list.
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
  std::string value = {};                 // the value as shown in help: "FILE"; derived from the choices if there are
                                          // any
  std::vector<std::string> choices = {};  // the only values allowed; empty: any
  std::string help = {};                  // sentences; the default, in brackets, comes last
  std::string group = "Options";          // heading in the help
  std::string excludes = {};              // name of an option that excludes this one
  bool positional = false;
  bool required = false;
  bool repeats = false;    // may be given more than once
  bool parameter = false;  // a parameter of the fit: name and range are declared in treecca/parameters.hpp
  bool per_view = false;   // takes one value, or one per view: a list in config files

  bool takes_value() const { return kind != Kind::flag; }
  /// "{gain,cover}" or "FILE"; empty for a flag.
  std::string value_label() const;
  /// The option's spelling in messages: "--out" or "MODEL".
  std::string shown_name() const { return positional ? name : "--" + name; }
};

/// The option spelled by a word ("--max-depth", "-k"), or null. Dashes and underscores are the same.
const Option* find_option(const std::vector<Option>& options, std::string_view word);

/// Every spelling of the named options as typed ("-k", "--n_components"); without positional arguments.
std::vector<std::string> spellings(const std::vector<Option>& options);

/// Whether two options exclude each other.
bool exclude_each_other(const Option& a, const Option& b);

/// Failure: UsageError if the text is not one of the option's choices, or not a number although the option needs one.
/// Parameters are not checked here, but by parse_parameters.
void check_value(const Option& option, const std::string& text);

/// The values given to a command. Failure: std::logic_error for an option that the command does not declare.
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

/// One option per parameter of a fit, with its default in the help.
std::vector<Option> parameter_options(const Parameters& defaults = {});
/// The same for ssl: with its own defaults, and only the parameters that it accepts.
std::vector<Option> ssl_parameter_options();

/// --n_jobs (--threads) on its own, for commands that do not fit.
Option threads_option();
/// --random_state.
Option seed_option();

/// The values of the preset, overridden by every other parameter given; validated for `n_views` views (0: any number).
/// Failure: UsageError that names the parameter.
Parameters parse_parameters(const ParameterTexts& texts, Index n_views = 0,
                            Parameters (*of_preset)(Preset) = Parameters::of_preset);

}  // namespace treecca::cli
