// Replaces "auto" parameters by values and refuses parameters that do not fit the data or the engine.
#pragma once

#include "data/dataset.hpp"
#include "train/train.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// From so many rows on, n_repeats = auto is one fit to all of them.
inline constexpr Index kRowsForOnePart = 20000;
/// n_estimators = auto: at most so many rounds, and so many without a higher TCC.
inline constexpr Index kMaxAutoRounds = 500;
inline constexpr Index kAutoPatience = 50;

/// Every "auto" replaced by its value for these data; validated. What only the fit can tell stays: `linear` where
/// blends are compared, screen, and colsample_bytree where features are screened. Failure: UsageError.
Parameters resolve(const Parameters& asked, const Dataset& data);

/// Failure: UsageError for engine_params without a library to take them, and for more rows than the native engine sums
/// exactly.
void check_engine(const Setting& setting, const Dataset& data);

/// Does nothing in a single process. Collective. Failure: UsageError for parameters that do not work over several
/// processes; Error when the processes were not given the same parameters and columns.
void check_peers(const Setting& setting, const Dataset& data);

}  // namespace treecca
