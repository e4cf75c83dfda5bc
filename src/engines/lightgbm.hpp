// LightGBM as engine: one booster per encoder, given our gradients through its C API. Scalar trees only: LightGBM has
// no vector leaves. Trees grow leaf by leaf up to 2^max_depth leaves, enough to fill that depth.
#pragma once

#include <memory>

#include "engines/library_engine.hpp"

namespace treecca {

/// Failure: UsageError for joint trees, FileError if the library is missing, Error with LightGBM's own message.
std::unique_ptr<Engine> make_lightgbm_engine(const EngineInput& input);

}  // namespace treecca
