// The trees of a LightGBM model (its text) as ours.
#pragma once

#include <string_view>

#include "treecca/model.hpp"

namespace treecca {

/// All trees in their order; tree t belongs to component t % n_components. Trusts nothing. Failure: ModelError for what
/// is not such a model, is damaged, or has categorical splits or linear leaves.
Encoder trees_of_lightgbm(std::string_view text, Index n_components);

}  // namespace treecca
