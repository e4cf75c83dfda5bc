// XGBoost as engine: one booster per encoder, given our gradients through its C API.
// All boosters of a view share its matrix, so they also share its bins. Each round requests the full margin, which
// XGBoost caches; requesting only the newest trees would make it evaluate all trees in every round.
#pragma once

#include <memory>

#include "engines/library_engine.hpp"

namespace treecca {

/// Failure: FileError if the library is missing, Error with XGBoost's own message.
std::unique_ptr<Engine> make_xgboost_engine(const EngineInput& input);

}  // namespace treecca
