// The engine that the parameters ask for.
#pragma once

#include <memory>

#include "data/binning.hpp"
#include "engines/foreign.hpp"

namespace treecca {

/// `bins`: the views cut into bins, for the native engine; must outlive it. Failure: as the engines; UsageError for
/// engine_params without another library to take them.
std::unique_ptr<Engine> make_engine(const EngineInput& input, const std::vector<BinnedView>& bins);

}  // namespace treecca
