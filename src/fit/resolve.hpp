// Replaces "auto" parameters by values and refuses parameters that do not fit the data or the engine.
#pragma once

#include "data/dataset.hpp"
#include "train/train.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// From this number of rows on, n_repeats = auto means one fit to all rows.
inline constexpr Index kRowsForOnePart = 20000;
/// n_estimators = auto: maximum number of rounds, and number of rounds without a higher TCC before stopping.
inline constexpr Index kMaxAutoRounds = 500;
inline constexpr Index kAutoPatience = 50;

/// Replaces every "auto" by its value for these data, and validates the result. Choices made during the fit stay
/// "auto": `linear` if blends are compared, screen, and colsample_bytree if features are screened. Failure: UsageError.
Parameters resolve(const Parameters& asked, const Dataset& data);

/// Throws UsageError for engine_params with the native engine, and for more rows than the native engine can sum
/// exactly.
void check_engine(const Setting& setting, const Dataset& data);

/// Does nothing in a single process. Collective. Failure: UsageError for parameters that do not work over several
/// processes; Error if processes have different parameters or columns.
void check_peers(const Setting& setting, const Dataset& data);

}  // namespace treecca
