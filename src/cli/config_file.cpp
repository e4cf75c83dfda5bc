#include "cli/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "cli/option_names.hpp"
#include "cli/toml_file.hpp"
#include "treecca/error.hpp"
#include "treecca/parameters.hpp"

namespace treecca::cli {
namespace {

using Kind = TomlValue::Kind;

template <class T>
constexpr bool kPerView = false;
template <class T>
constexpr bool kPerView<PerView<T>> = true;

/// How a value is shown in a message.
std::string shown(const TomlValue& value) {
  if (value.kind == Kind::text) return fmt::format("the text \"{}\"", value.text);
  if (value.kind == Kind::list) return "a list";
  return value.kind == Kind::table ? "a table" : value.text;
}

/// The options of a verb that a file gives.
class ConfigFile {
 public:
  ConfigFile(CLI::App& verb, std::string path) : verb_(verb), path_(std::move(path)) {
    for (CLI::Option* option : verb.get_options()) {
      if (option->count() > 0) on_command_line_.insert(option);
    }
  }

  void apply(const TomlValue& table, bool in_section) {
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      const TomlValue& value = table.items[i];
      const bool section = value.kind == Kind::table && option_of(table.keys[i]) == nullptr;
      if (!section) {
        apply_key(table.keys[i], value);
      } else if (!in_section && table.keys[i] == verb_.get_name()) {
        apply(value, true);
      } else {
        fail(value, fmt::format("there is no section [{}]; options of this verb stand at the top "
                                "of the file or under [{}]",
                                table.keys[i], verb_.get_name()));
      }
    }
  }

 private:
  [[noreturn]] void fail(const TomlValue& value, const std::string& reason) const {
    throw UsageError(fmt::format("The config file {}, line {}: {}.", path_, value.line, reason));
  }
  [[noreturn]] void fail_type(const std::string& key, const TomlValue& value, const std::string& allowed) const {
    fail(value, fmt::format("{} must be {}, not {}", key, allowed, shown(value)));
  }

  /// The option a key stands for, or null.
  CLI::Option* option_of(const std::string& key) const {
    const std::vector<std::string> keys = config_keys(verb_);
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) return nullptr;
    return verb_.get_option_no_throw((key.size() == 1 ? "-" : "--") + key);
  }

  void apply_key(const std::string& key, const TomlValue& value) {
    CLI::Option* option = option_of(key);
    if (option == nullptr) {
      throw UsageError(fmt::format("The config file {}, line {}: there is no key \"{}\".{}", path_, value.line, key,
                                   suggestion(key, config_keys(verb_))));
    }
    if (!from_file_.insert(option).second) {
      fail(value, fmt::format("{} is given more than once", key));
    }
    const std::vector<std::string> texts = texts_of(*option, key, value);
    if (on_command_line_.count(option) > 0) return;
    for (const CLI::Option* other : option->get_excludes()) {
      if (on_command_line_.count(other) > 0) return;
      if (other->count() > 0 && !texts.empty()) {
        fail(value, fmt::format("{} and {} exclude each other", key, other->get_name()));
      }
    }
    for (const std::string& text : texts) option->add_result(text);
    if (!texts.empty()) option->run_callback();
  }

  /// What would stand behind the option on the command line. Checked also where the command line
  /// wins, so that whether a file is right does not depend on it.
  std::vector<std::string> texts_of(const CLI::Option& option, const std::string& key, const TomlValue& value) const {
    if (option.get_items_expected_max() == 0) {  // a flag
      if (value.kind != Kind::boolean) fail_type(key, value, "true or false");
      return value.text == "true" ? std::vector<std::string>{value.text} : std::vector<std::string>{};
    }
    const std::string name = option.get_lnames().front();
    std::vector<std::string> texts;
    for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*) {
      if (declaration.name == name) texts = {parameter_text<T>(declaration, key, value)};
    });
    if (!texts.empty()) return texts;
    if (option.get_items_expected_max() > 1) return list_of_texts(key, value);
    if (value.kind != Kind::text) fail_type(key, value, "a text");
    return {value.text};
  }

  /// "NAME=FILE" or "FILE" once or more often, or a table of files by name.
  std::vector<std::string> list_of_texts(const std::string& key, const TomlValue& value) const {
    constexpr auto kAllowed = "a text, a list of texts or a table of texts";
    if (value.kind == Kind::text) return {value.text};
    if (value.kind != Kind::list && value.kind != Kind::table) fail_type(key, value, kAllowed);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const TomlValue& item = value.items[i];
      if (item.kind != Kind::text) {
        fail(item, fmt::format("{} must be {}, and holds {}", key, kAllowed, shown(item)));
      }
      if (value.kind == Kind::list) {
        texts.push_back(item.text);
        continue;
      }
      if (value.keys[i].find('=') != std::string::npos) {
        fail(item, fmt::format("the name \"{}\" under {} holds an equals sign", value.keys[i], key));
      }
      texts.push_back(value.keys[i] + "=" + item.text);
    }
    return texts;
  }

  template <class T>
  std::string parameter_text(const Declaration& declaration, const std::string& key, const TomlValue& value) const {
    const auto refuse = [&] { fail_type(key, value, allowed_values(declaration.name)); };
    std::string text = value.text;
    if constexpr (std::is_enum_v<T>) {
      if (value.kind != Kind::text) refuse();
    } else if constexpr (std::is_same_v<T, bool>) {
      if (value.kind != Kind::boolean) refuse();
    } else {
      const auto is_number = [](const TomlValue& item) {
        return item.kind == Kind::whole || item.kind == Kind::number;
      };
      if (value.kind == Kind::list) {
        if (!kPerView<T> || value.items.empty()) refuse();
        std::vector<std::string> parts;
        for (const TomlValue& item : value.items) {
          if (!is_number(item)) {
            fail_type(key + " (its values)", item, allowed_values(declaration.name));
          }
          parts.push_back(item.text);
        }
        text = fmt::format("{}", fmt::join(parts, ","));
      } else if (value.kind == Kind::text) {  // a word such as "auto"; numbers have no quotes
        if (std::any_of(text.begin(), text.end(),
                        [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; })) {
          refuse();
        }
      } else if (!is_number(value)) {
        refuse();
      }
    }
    try {
      Parameters scratch;
      set_from_text(scratch, declaration.name, text);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("The config file {}, line {}: {}", path_, value.line, error.what()));
    }
    return text;
  }

  CLI::App& verb_;
  std::string path_;
  std::set<const CLI::Option*> on_command_line_;
  std::set<const CLI::Option*> from_file_;
};

}  // namespace

void apply_config_file(CLI::App& verb, const std::string& path) {
  ConfigFile(verb, path).apply(read_toml_file(path), false);
}

}  // namespace treecca::cli
