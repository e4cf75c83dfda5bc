// Detects redundant results: one measurement in two views, or one shared variable in several components.
#pragma once

#include <string>

#include "data/dataset.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// A sentence if a component above noise with a correlation above 0.9 depends mainly on one feature of each view, and
/// these two features nearly determine each other: a rounded, recoded or transformed copy. Copies that differ only by
/// scale and offset are reported before the fit (data/shared_features). Uses 500 rows. Empty with several processes.
std::string near_copies(const FitResult& result, const Dataset& data);

/// A sentence if a component is above noise and two views each have a feature with one special value, or missing
/// values, in the same samples (five or more, but not most): a mark for missing values, a limit of detection. Uses 500
/// rows. Empty with several processes.
std::string shared_placeholders(const FitResult& result, const Dataset& data);

/// A sentence if components above noise are, in every view, nearly functions of an earlier component. Empty with
/// several processes.
std::string dependent_components(const FitResult& result, const Samples& samples);

}  // namespace treecca
