// Measures how far one variable determines another, by any function: a line, a curve, or renumbered classes.
#pragma once

#include <span>

namespace treecca {

/// Fraction of the variance of y (by its ranks) between groups of rows with similar x, corrected for the number of
/// groups: 1 if x determines y, about 0 if they are independent (it may be negative). Groups: the distinct values of x,
/// or 20 quantiles if there are more. Rows with a missing x or y are left out. Returns 0 if fewer than 30 rows remain
/// or y does not vary.
double correlation_ratio(std::span<const double> x, std::span<const double> y);

}  // namespace treecca
