// The engine that the parameters ask for.
#pragma once

#include <memory>

#include "engines/engine.hpp"

namespace treecca {

/// The native engine takes no engine_params: see check_engine in fit/resolve.hpp. Failure: as the engines.
std::unique_ptr<Engine> make_engine(const EngineInput& input);

}  // namespace treecca
