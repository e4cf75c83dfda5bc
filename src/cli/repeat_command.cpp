#include "cli/repeat_command.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace treecca::cli {

std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=./,:@%") == std::string::npos;
  if (plain) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string repeat_command(const std::string& verb, const std::vector<ViewFile>& files, const DataOptions& data,
                           const Parameters& given, Parameters (*of_preset)(Preset)) {
  std::string command = "treecca " + verb;
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" --{} {}", option, shell_word(value));
  };
  for (const ViewFile& file : files) add("view", file.name + "=" + file.path);
  for (const auto& [name, value] : data.reading) add(name, value);
  if (data.join == Join::outer) add("join", "outer");
  add("groups", data.groups);
  add("weights", data.weights);
  add("labels", data.labels);
  add("covariates", data.covariates.path);
  std::vector<std::string> adjust = data.adjust;
  for (std::string& name : adjust) {
    if (std::find(data.classes.begin(), data.classes.end(), name) != data.classes.end()) name = "class(" + name + ")";
  }
  adjust.insert(adjust.end(), data.products.begin(), data.products.end());
  add("adjust", fmt::format("{}", fmt::join(adjust, ",")));
  for (const auto& [name, value] : data.engine_params) add("engine_param", name + "=" + value);
  const Parameters standard = of_preset(given.preset);
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (!declaration.affects_model) return;
    const std::string value = to_text(given, declaration.name);
    const bool preset = declaration.name == "preset" && given.preset != Preset::automatic;
    if (preset || value != to_text(standard, declaration.name)) add(declaration.name, value);
  });
  return command;
}

}  // namespace treecca::cli
