// Choosing parameters: the held-out correlation of many settings in one call.
//
// Every setting is fitted with cross-fitting, so its correlations are measured on rows that its trees never saw, and no
// further splitting is needed. Views are cut into bins once, for all settings.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

struct CvResult {
  Parameters parameters;             // with every "auto" resolved
  std::vector<double> correlations;  // K, out of fold, descending
  double tcc = 0;                    // their total_correlation
  std::vector<double> curve;         // the same after every round
  std::uint64_t best_round = 0;      // where the curve is highest, once the start values are gone; from 1
  double seconds = 0;
};

struct CvOptions {
  FitOptions fit;                                                // groups, progress within a fit, stop
  std::function<void(std::size_t, const CvResult&)> on_setting;  // after each setting: its number, its result
};

/// One result per setting, in their order. The best of many is picked on the same rows it was measured on, so its
/// figure is a little too good: measure it again on rows kept aside, or by a fit with another seed. Failure: as fit;
/// UsageError for no settings, and for a setting without cross-fitting.
std::vector<CvResult> cross_validate(const std::vector<View>& views, const std::vector<Parameters>& settings,
                                     const CvOptions& options = {});

/// All combinations of the values of some parameters, as text (see set_from_text), on top of `base`. The last parameter
/// changes fastest. Failure: UsageError for unknown names and values.
struct GridAxis {
  std::string name;
  std::vector<std::string> values;
};
std::vector<Parameters> parameter_grid(const Parameters& base, const std::vector<GridAxis>& axes);

}  // namespace treecca
