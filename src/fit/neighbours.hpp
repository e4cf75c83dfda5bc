// Detects components that follow the order of the rows. Rows are then not independent, or were not matched.
#pragma once

#include <string>

#include "samples/samples.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// Returns a warning if neighbouring rows are similar on a component above noise (correlation above 0.8 in all views):
/// rows in the order of time, or files that were sorted separately. Empty with groups, with fewer than 30 rows or with
/// several processes.
std::string alike_neighbours(const FitResult& result, const Samples& samples);

}  // namespace treecca
