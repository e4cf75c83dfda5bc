// The trees of an XGBoost model (its UBJSON) as ours.
#pragma once

#include <string_view>

#include "treecca/model.hpp"

namespace treecca {

/// All trees, round by round. `joint`: every tree is for all components (with one component XGBoost writes scalar
/// trees); else each carries its own. Trusts nothing. Failure: ModelError for what is not such a model, is damaged, has
/// categorical splits, or leaves that are not of `n_components` (joint) or single numbers.
Encoder trees_of_xgboost(std::string_view ubjson, Index n_components, bool joint);

}  // namespace treecca
