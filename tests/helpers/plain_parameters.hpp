// Preset plain, for tests that are about one cross-fit: no parts, no linear CCA, few values left to rules.
#pragma once

#include "treecca/parameters.hpp"

namespace treecca::testing {

inline Parameters plain_parameters() { return Parameters::of_preset(Preset::plain); }

/// Of a preset among the texts, else plain.
inline Parameters plain_from_texts(const ParameterTexts& texts) {
  return parameters_from_texts(
      texts, [](Preset preset) { return Parameters::of_preset(preset == Preset::automatic ? Preset::plain : preset); });
}

}  // namespace treecca::testing
