// Replaces "auto" parameters by values and refuses parameters that do not fit the data.
#pragma once

#include <string>
#include <vector>

#include "samples/shard.hpp"
#include "treecca/fit.hpp"

namespace treecca {

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
