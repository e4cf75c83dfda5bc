// Is this input usable, and what do the "auto" parameters mean for it?
#pragma once

#include <string>
#include <vector>

#include "data/binning.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// The least number of rows a fit makes sense for.
inline constexpr Index kLeastRows = 10;

/// Fills in feature names (f0, f1, ...). Failure: DataError (fewer than two views, unequal row counts, too few rows, no
/// features, names that do not fit or repeat, wrong number of groups), in every process what the first one met.
std::vector<View> checked_views(const std::vector<View>& views, const FitOptions& options, const Shard& shard);
inline std::vector<View> checked_views(const std::vector<View>& views, const FitOptions& options) {
  return checked_views(views, options, views.empty() ? 0 : views[0].values.rows());
}

/// One view alone, with feature names. Failure: DataError (no name, no features, too few rows, names that do not fit).
View checked_view(const View& view, Index total_rows);
inline View checked_view(const View& view) { return checked_view(view, view.values.rows()); }

/// Failure: DataError, naming the view, when none of its features varies.
void check_varies(const BinnedView& bins, const std::string& name);

/// colsample_bytree = auto for so many features.
double automatic_share(Index features);

/// Every "auto" replaced by its value for these views; validated. What depends on screening, itself and
/// colsample_bytree, stays where features are screened. Failure: UsageError.
Parameters resolved(const Parameters& parameters, const std::vector<View>& views, const Shard& shard);
inline Parameters resolved(const Parameters& parameters, const std::vector<View>& views) {
  return resolved(parameters, views, views[0].values.rows());
}

/// Failure: UsageError for what a fit over several processes cannot do, and Error when the processes were not given the
/// same parameters and columns.
void check_distributed(const std::vector<View>& views, const Parameters& parameters, const FitOptions& options,
                       const Shard& shard);

}  // namespace treecca
