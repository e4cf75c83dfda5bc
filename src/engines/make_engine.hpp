// The engine that the parameters ask for.
#pragma once

#include <memory>

#include "engines/library_engine.hpp"

namespace treecca {

/// Failure: as the engines; UsageError for engine_params without another library to take them.
std::unique_ptr<Engine> make_engine(const EngineInput& input);

}  // namespace treecca
