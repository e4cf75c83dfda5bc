// LightGBM as engine: one booster per encoder, driven through its C API with our gradients. Scalar trees only: LightGBM
// has no vector leaves. Trees grow leaf by leaf up to 2^max_depth leaves, which fills the same depth.
#pragma once

#include <memory>

#include "engines/library_engine.hpp"

namespace treecca {

/// Failure: UsageError for joint trees, FileError when the library is not there, Error with LightGBM's own words when
/// it refuses something.
std::unique_ptr<Engine> make_lightgbm_engine(const EngineInput& input);

}  // namespace treecca
