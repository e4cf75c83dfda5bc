#include "cli/option_names.hpp"

#include <algorithm>

#include "support/names.hpp"

namespace treecca::cli {

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    const std::vector<std::string> spellings = option_names(*option);
    names.insert(names.end(), spellings.begin(), spellings.end());
  }
  return names;
}

std::vector<std::string> shown_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option_names(option)) {
    std::string twin = name;
    std::replace(twin.begin() + 2, twin.end(), '-', '_');
    if (std::find(names.begin(), names.end(), twin) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> config_keys(const CLI::App& verb) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : verb.get_options()) {
    const auto is_named = [&](const char* name) { return option->check_lname(name); };
    if (is_named("config") || is_named("help")) continue;
    for (const auto* names : {&option->get_lnames(), &option->get_snames()}) {
      keys.insert(keys.end(), names->begin(), names->end());
    }
  }
  return keys;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  return did_you_mean(word, {known.begin(), known.end()});
}

}  // namespace treecca::cli
