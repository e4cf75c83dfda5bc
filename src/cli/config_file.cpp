#include "cli/config_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "cli/option_names.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw FileError(fmt::format("The config file {} cannot be read: it is a folder.", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw FileError(
        fmt::format("The config file {} cannot be read: {}.", path, std::strerror(errno)));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The option a key stands for; UsageError when there is none or it cannot stand in a file.
CLI::Option* option_of(CLI::App& verb, const std::string& key, const std::string& path) {
  CLI::Option* option = verb.get_option_no_throw("--" + key);
  const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
  if (!takes_value || key == "config") {
    throw UsageError(fmt::format("Unknown key \"{}\" in the config file {}.{}", key, path,
                                 suggestion(key, config_keys(verb))));
  }
  return option;
}

void set_option(CLI::Option& option, const CLI::ConfigItem& item, const std::string& path) {
  for (const std::string& value : item.inputs) {
    // The reader cuts comments off before it looks at quotes.
    if (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
      throw UsageError(
          fmt::format("The value of \"{}\" in the config file {} has no closing quote (a # cannot "
                      "stand inside a value).",
                      item.name, path));
    }
  }
  try {
    if (option.get_items_expected_max() > 1) {
      for (const std::string& value : item.inputs) option.add_result(value);
    } else {
      option.add_result(fmt::format("{}", fmt::join(item.inputs, ",")));
    }
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("The value of \"{}\" in the config file {} cannot be used: {}.",
                                 item.name, path, error.what()));
  }
}

}  // namespace

void apply_config_file(CLI::App& verb, const std::string& path) {
  std::istringstream text(read_text(path));
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_config(text);
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("The config file {} is not TOML: {}.", path, error.what()));
  }
  std::set<const CLI::Option*> from_file;
  for (const CLI::ConfigItem& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // where a section begins and ends
    if (!item.parents.empty() && item.parents != std::vector<std::string>{verb.get_name()}) {
      throw UsageError(fmt::format(
          "Unknown section [{}] in the config file {}; options of this verb stand at the "
          "top of the file or under [{}].",
          fmt::join(item.parents, "."), path, verb.get_name()));
    }
    CLI::Option* option = option_of(verb, item.name, path);
    if (from_file.count(option) == 0 && option->count() > 0) continue;  // given on the command line
    if (!from_file.insert(option).second) {
      throw UsageError(
          fmt::format("The config file {} gives \"{}\" more than once.", path, item.name));
    }
    set_option(*option, item, path);
  }
}

}  // namespace treecca::cli
