// XGBoost as engine: one booster per encoder, driven through its C API with our gradients.
//
// All boosters of a view share its matrix, and so its bins. A round asks for the full margin, which XGBoost keeps in a
// cache: asking for the newest trees alone would make it walk all trees anew in every round.
#pragma once

#include <memory>

#include "engines/library_engine.hpp"

namespace treecca {

/// Failure: FileError when the library is not there, Error with XGBoost's own words when it refuses something.
std::unique_ptr<Engine> make_xgboost_engine(const EngineInput& input);

}  // namespace treecca
