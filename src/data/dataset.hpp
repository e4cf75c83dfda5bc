// Views as the caller gave them, checked: what cannot be fitted is refused before any work is done.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/binning.hpp"
#include "samples/shard.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// The minimum number of samples for a fit.
inline constexpr Index kMinRows = 10;

/// Fills in feature names (f0, f1, ...). Failure: DataError (fewer than two views, unequal row counts, too few rows, no
/// features, names that do not fit or repeat, wrong number of groups), in every process what the first one met.
std::vector<View> checked_views(const std::vector<View>& views, const std::vector<std::int64_t>& groups,
                                const Shard& shard);
inline std::vector<View> checked_views(const std::vector<View>& views, const std::vector<std::int64_t>& groups = {}) {
  return checked_views(views, groups, views.empty() ? 0 : views[0].values.rows());
}

/// One view alone, with feature names. Failure: DataError (no name, no features, too few rows, names that do not fit).
View checked_view(const View& view, Index total_rows);
inline View checked_view(const View& view) { return checked_view(view, view.values.rows()); }

/// Failure: DataError, naming the view, when none of its features varies.
void check_varies(const BinnedView& bins, const std::string& name);

}  // namespace treecca
