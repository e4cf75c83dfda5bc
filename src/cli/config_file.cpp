#include "cli/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "cli/toml_file.hpp"
#include "support/names.hpp"
#include "treecca/error.hpp"
#include "treecca/parameters.hpp"

namespace treecca::cli {
namespace {

using Kind = TomlValue::Kind;
using Texts = std::vector<std::string>;

/// A value as shown in a message.
std::string shown(const TomlValue& value) {
  if (value.kind == Kind::text) return fmt::format("the text \"{}\"", value.text);
  if (value.kind == Kind::list) return "a list";
  return value.kind == Kind::table ? "a table" : value.text;
}

bool is_number(const TomlValue& value) { return value.kind == Kind::integer || value.kind == Kind::number; }

/// The type of value that an option accepts, in words.
std::string allowed_in_file(const Option& option) {
  if (option.parameter) return allowed_values(option.name);
  switch (option.kind) {
    case Option::Kind::flag:
    case Option::Kind::boolean:
      return "true or false";
    case Option::Kind::integer:
      return "an integer";
    case Option::Kind::number:
      return "a number";
    case Option::Kind::text:
      return option.repeats ? "a text, a list of texts or a table of texts" : "a text";
  }
  return "";
}

/// Applies the options in a file to a command.
class ConfigFile {
 public:
  ConfigFile(Arguments& arguments, std::string path) : arguments_(arguments), path_(std::move(path)) {
    for (const Option& option : arguments.options()) {
      if (arguments.has(option.name)) on_command_line_.insert(&option);
    }
  }

  void apply(const TomlValue& table, bool in_section) {
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      const TomlValue& value = table.items[i];
      const bool section = value.kind == Kind::table && option_of(table.keys[i]) == nullptr;
      if (!section) {
        apply_key(table.keys[i], value);
      } else if (!in_section && table.keys[i] == arguments_.command()) {
        apply(value, true);
      } else {
        fail(value, fmt::format("unknown section [{}]. Put options at the top of the file or under [{}].",
                                table.keys[i], arguments_.command()));
      }
    }
  }

 private:
  [[noreturn]] void fail(const TomlValue& value, const std::string& reason) const {
    throw UsageError(fmt::format("The config file {}, line {}: {}", path_, value.line, reason));
  }
  [[noreturn]] void fail_type(const Option& option, const std::string& key, const TomlValue& value) const {
    fail(value, fmt::format("{} must be {}, not {}.", key, allowed_in_file(option), shown(value)));
  }

  /// The option of a key, or null. A file may contain neither --config nor --help.
  const Option* option_of(const std::string& key) const {
    const Option* option = find_option(arguments_.options(), (key.size() == 1 ? "-" : "--") + key);
    return option != nullptr && option->name == "config" ? nullptr : option;
  }

  std::string suggestion(const std::string& key) const {
    Texts keys = spellings(arguments_.options());
    for (std::string& name : keys) name.erase(0, name.find_first_not_of('-'));
    std::erase(keys, "config");
    return did_you_mean(key, {keys.begin(), keys.end()});
  }

  void apply_key(const std::string& key, const TomlValue& value) {
    const Option* option = option_of(key);
    if (option == nullptr) fail(value, fmt::format("unknown key \"{}\".{}", key, suggestion(key)));
    if (!from_file_.insert(option).second) fail(value, fmt::format("{} is given more than once.", key));
    const Texts texts = checked_texts(*option, key, value);
    if (on_command_line_.contains(option)) return;
    for (const Option& other : arguments_.options()) {
      if (!exclude_each_other(*option, other)) continue;
      if (on_command_line_.contains(&other)) return;
      if (arguments_.has(other.name) && !texts.empty()) {
        fail(value, fmt::format("{} and {} exclude each other.", key, other.name));
      }
    }
    for (const std::string& text : texts) arguments_.add(*option, text);
  }

  /// Converts a value to the texts that the command line would have. Values are checked even if the command line takes
  /// precedence, so that the same file is always right or always wrong.
  Texts checked_texts(const Option& option, const std::string& key, const TomlValue& value) const {
    const Texts texts = texts_of(option, key, value);
    try {
      for (const std::string& text : texts) {
        check_value(option, text);
        Parameters scratch;
        if (option.parameter) set_from_text(scratch, option.name, text);
      }
    } catch (const UsageError& error) {
      fail(value, error.what());
    }
    return texts;
  }

  Texts texts_of(const Option& option, const std::string& key, const TomlValue& value) const {
    switch (option.kind) {
      case Option::Kind::flag:
      case Option::Kind::boolean:
        if (value.kind != Kind::boolean) fail_type(option, key, value);
        return option.takes_value() || value.text == "true" ? Texts{value.text} : Texts{};
      case Option::Kind::integer:
      case Option::Kind::number:
        return {number_text(option, key, value)};
      case Option::Kind::text:
        break;
    }
    if (option.repeats) return list_of_texts(option, key, value);
    if (value.kind != Kind::text) fail_type(option, key, value);
    return {value.text};
  }

  /// "NAME=FILE" or "FILE" once or more often, or a table of files by name.
  Texts list_of_texts(const Option& option, const std::string& key, const TomlValue& value) const {
    if (value.kind == Kind::text) return {value.text};
    if (value.kind != Kind::list && value.kind != Kind::table) fail_type(option, key, value);
    Texts texts;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const TomlValue& item = value.items[i];
      if (item.kind != Kind::text) {
        fail(item, fmt::format("{} must be {}; it contains {}.", key, allowed_in_file(option), shown(item)));
      }
      if (value.kind == Kind::list) {
        texts.push_back(item.text);
        continue;
      }
      if (value.keys[i].find('=') != std::string::npos) {
        fail(item, fmt::format("the name \"{}\" under {} contains an equals sign.", value.keys[i], key));
      }
      texts.push_back(value.keys[i] + "=" + item.text);
    }
    return texts;
  }

  /// A number, a list of numbers if views may differ, or a word such as "auto". Numbers of parameters have no quotes.
  std::string number_text(const Option& option, const std::string& key, const TomlValue& value) const {
    if (is_number(value)) return value.text;
    if (value.kind == Kind::list && option.per_view && !value.items.empty()) {
      Texts parts;
      for (const TomlValue& item : value.items) {
        if (!is_number(item)) fail_type(option, key + " (its values)", item);
        parts.push_back(item.text);
      }
      return fmt::format("{}", fmt::join(parts, ","));
    }
    const bool has_digit = std::any_of(value.text.begin(), value.text.end(),
                                       [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    if (value.kind != Kind::text || (option.parameter && has_digit)) fail_type(option, key, value);
    return value.text;
  }

  Arguments& arguments_;
  std::string path_;
  std::set<const Option*> on_command_line_;
  std::set<const Option*> from_file_;
};

}  // namespace

void apply_config_file(Arguments& arguments, const std::string& path) {
  ConfigFile(arguments, path).apply(read_toml_file(path), false);
}

}  // namespace treecca::cli
