// Reads the trees of an XGBoost model (its UBJSON format).
#pragma once

#include <string_view>

#include "treecca/model.hpp"

namespace treecca {

/// All trees, round by round. `joint`: every tree is for all components (with one component XGBoost writes scalar
/// trees); else each tree names its own. Untrusted input is safe. Failure: ModelError if the bytes are not such a
/// model, are damaged, have categorical splits, or leaves without `n_components` numbers (joint) or one number.
Encoder trees_of_xgboost(std::string_view ubjson, Index n_components, bool joint);

}  // namespace treecca
