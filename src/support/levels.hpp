// Converts class labels to numbers: the position of each label in a list of levels.
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace treecca {

/// One position per text. `levels` gets the distinct texts in the order of their first appearance.
inline std::vector<double> positions_in_levels(const std::vector<std::string>& texts,
                                               std::vector<std::string>& levels) {
  std::unordered_map<std::string, double> known;
  std::vector<double> positions;
  levels.clear();
  for (const std::string& text : texts) {
    const auto [at, is_new] = known.emplace(text, static_cast<double>(levels.size()));
    if (is_new) levels.push_back(text);
    positions.push_back(at->second);
  }
  return positions;
}

/// Positions of the labels of numbers that are classes, such as plate numbers: 3 becomes "3".
inline std::vector<double> positions_of_numbers(const std::vector<double>& values, std::vector<std::string>& levels) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{}", value));
  return positions_in_levels(texts, levels);
}

}  // namespace treecca
