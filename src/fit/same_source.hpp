// Correlations that say less than they seem to: one measurement in two views, one shared variable in several
// components.
#pragma once

#include <string>

#include "data/dataset.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// A sentence if a component above noise with a correlation above 0.9 rests on one feature of each view, and the two
/// nearly determine each other: a rounded, recoded or transformed copy. Copies that differ by scale and offset alone
/// are named before the fit (data/shared_features). Looks at 500 rows. Empty with several processes.
std::string near_copies(const FitResult& result, const Dataset& data);

/// A sentence if something was found and two views have a feature each in which the same five or more samples, but not
/// most, have one value or lack it: a mark for missing values, a limit of detection. Looks at 500 rows. Empty with
/// several processes.
std::string shared_placeholders(const FitResult& result, const Dataset& data);

/// A sentence if components above noise are, in every view, nearly functions of an earlier one. Empty with several
/// processes.
std::string dependent_components(const FitResult& result, const Samples& samples);

}  // namespace treecca
