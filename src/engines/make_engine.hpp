// Creates the engine that the parameters name.
#pragma once

#include <memory>

#include "engines/engine.hpp"

namespace treecca {

/// The native engine takes no engine_params: see check_engine in fit/resolve.hpp. Failure: as the engines' own.
std::unique_ptr<Engine> make_engine(const EngineInput& input);

}  // namespace treecca
