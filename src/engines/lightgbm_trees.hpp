// Reads the trees of a LightGBM model (its text format).
#pragma once

#include <string_view>

#include "treecca/model.hpp"

namespace treecca {

/// All trees in order; tree t belongs to component t % n_components. Untrusted input is safe. Failure: ModelError if
/// the text is not such a model, is damaged, or has categorical splits or linear leaves.
Encoder trees_of_lightgbm(std::string_view text, Index n_components);

}  // namespace treecca
