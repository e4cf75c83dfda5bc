// Choosing parameters: the held-out correlation of many settings in one call.
//
// Every setting is fitted as `fit` would, to the same parts or folds, so its correlations are measured on rows that it
// never saw, and no further splitting is needed. Views are cut into bins once, for all settings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/pair_covariances.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// What `nested_tcc` needs of a setting: the covariances of its variates on every fold, for each candidate (blend with
/// linear CCA, or round to stop at).
struct CvFolds {
  using Covariances = std::vector<PairCovariances>;  // per fold

  std::vector<int> of_row;  // fold of each row
  int n_views = 0;
  std::vector<Covariances> plain;    // per candidate: of a mean over the repeats, which choices go by
  std::vector<Covariances> shipped;  // per candidate: of the mean over all parts, which is reported
};

struct CvResult {
  Parameters given;                     // as asked for
  Parameters parameters;                // with every "auto" resolved
  std::vector<double> correlations;     // K, out of fold, as `fit` reports them with rotate
  std::vector<double> standard_errors;  // K
  double tcc = 0;                       // their total_correlation
  bool can_tell = true;                 // false: too few samples or groups to tell any from noise
  Index found = 0;                      // how many of them exceed their noise threshold
  double found_tcc = 0;                 // the sum of those: what settings are compared by
  double standard_error = 0;            // of found_tcc
  double linear_weight = 0;             // of linear CCA in the variates
  std::vector<double> rounds;           // that were measured
  std::vector<double> curve;            // TCC inside the parts (mean) or folds after these rounds
  std::uint64_t best_round = 0;         // where the curve is highest, once the start values are gone; from 1
  double seconds = 0;
  CvFolds folds;
};

struct CvOptions {
  FitOptions fit;                                                // groups, progress within a fit, stop
  std::function<void(std::size_t, const CvResult&)> on_setting;  // after each setting: its number, its result
};

/// One result per setting, in their order. All settings are judged after rotation, whether they rotate or not: sums of
/// components that repeat each other cannot be compared. The best of many settings is chosen on the same rows it
/// was measured on, so its TCC is biased upwards; nested_tcc is not.
/// Failure: as fit; UsageError for no settings, and for a setting without cross-fitting.
std::vector<CvResult> cross_validate(const std::vector<View>& views, const std::vector<Parameters>& settings,
                                     const CvOptions& options = {});

/// The number of the setting to take: the highest found_tcc; but if others come within a standard error of it with
/// fewer components, the one with the fewest. More components always add a little noise. Where no setting has a
/// component above noise: the highest tcc.
std::size_t best_setting(const std::vector<CvResult>& results);

/// Numbers of the settings: the one to take, then the others by found_tcc (by tcc where no setting has a component
/// above noise); of equals the one given first.
std::vector<Index> best_first(const std::vector<CvResult>& results);

/// The TCC to expect of the best setting: every fold is judged by the setting with the highest TCC on the other folds.
/// It chooses among the settings with the same number of components and the same folds as the best; NaN if there are
/// several settings but no such one.
double nested_tcc(const std::vector<CvResult>& results);

/// A sentence for every parameter among `names` (those of the grid) whose best value is the lowest or highest of three
/// or more numbers: better ones may lie beyond. None where the parameter allows nothing beyond, and none where it has
/// no effect (linear CCA is chosen, or another value gives the same correlations).
std::vector<std::string> edge_advice(const std::vector<CvResult>& results, const std::vector<std::string>& names);

/// All combinations of the values of some parameters, as text (see set_from_text), on top of what was given; what was
/// given wins over a preset among the values. The last parameter changes fastest. Failure: UsageError for unknown names
/// and values, and for a name that is there twice.
struct GridAxis {
  std::string name;
  std::vector<std::string> values;
};
std::vector<Parameters> parameter_grid(const ParameterTexts& given, const std::vector<GridAxis>& axes);

}  // namespace treecca
