// What Python hands over for a fit: views and settings.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "treecca/fit.hpp"
#include "treecca/parameters.hpp"

namespace treecca::python {

using InputView = std::tuple<std::string, InputArray, std::vector<std::string>>;  // name, values, feature names
using Settings = std::vector<std::pair<std::string, std::string>>;                // as set_from_text has them, in order

inline Parameters parameters_from(const Settings& settings) {
  Parameters parameters;
  for (const auto& [name, text] : settings) set_from_text(parameters, name, text);
  return parameters;
}

/// Windows onto the arrays: valid while they live.
inline std::vector<View> views_from(const std::vector<InputView>& inputs) {
  std::vector<View> views;
  for (const auto& [name, values, feature_names] : inputs) views.push_back({name, as_view(values), feature_names});
  return views;
}

}  // namespace treecca::python
