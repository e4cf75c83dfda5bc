// Compares settings: the out-of-fold correlations of many settings in one call.
// Every setting is fitted as by `fit`, with the same parts or folds. Its correlations come from rows that its trees
// have not seen, so no further split is needed. Views are cut into bins once for all settings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/pair_covariances.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// The input of `nested_tcc` for one setting: the covariances of its variates on every fold, for each candidate (blend
/// with linear CCA, or round to stop at).
struct CvFolds {
  using Covariances = std::vector<PairCovariances>;  // per fold

  std::vector<int> of_row;  // fold of each row
  int n_views = 0;
  std::vector<Covariances> plain;    // per candidate, of a mean over the repeats: used for choices
  std::vector<Covariances> shipped;  // per candidate, of the mean over all parts: reported
};

struct CvResult {
  Parameters given;                     // as given
  Parameters parameters;                // with every "auto" resolved
  std::vector<double> correlations;     // K, out of fold, as `fit` reports them with rotate
  std::vector<double> standard_errors;  // K
  double tcc = 0;                       // total_correlation of these
  bool can_tell = true;                 // false: too few samples or groups for a noise threshold
  Index found = 0;                      // number of components above their noise thresholds
  double found_tcc = 0;                 // the sum of their correlations, by which settings are compared
  double standard_error = 0;            // of found_tcc
  double linear_weight = 0;             // of linear CCA in the variates
  std::vector<double> rounds;           // the rounds at which `curve` was measured
  std::vector<double> curve;            // TCC inside the parts (mean) or folds after these rounds
  std::uint64_t best_round = 0;         // where the curve is highest after the initial values have faded out; from 1
  double seconds = 0;
  CvFolds folds;
};

struct CvOptions {
  FitOptions fit;                                                // groups, progress within a fit, stop
  std::function<void(std::size_t, const CvResult&)> on_setting;  // after each setting: its number, its result
};

/// One result per setting, in the order given. All settings are judged after rotation, even with rotate = false:
/// without it components may repeat each other, and their sums cannot be compared. The best of many settings is chosen
/// on the rows that it was measured on, so its TCC is biased upwards; nested_tcc is not.
/// Failure: as fit; UsageError for an empty list of settings and for a setting without cross-fitting.
std::vector<CvResult> cross_validate(const std::vector<View>& views, const std::vector<Parameters>& settings,
                                     const CvOptions& options = {});

/// Returns the number of the recommended setting: among the settings within a standard error of the highest found_tcc,
/// the setting with the fewest components, because every component adds noise. If no setting has a component above
/// noise, it is the setting with the highest tcc.
std::size_t best_setting(const std::vector<CvResult>& results);

/// Numbers of the settings: first the recommended one, then the others by found_tcc (by tcc if no setting has a
/// component above noise); ties in the order given.
std::vector<Index> best_first(const std::vector<CvResult>& results);

/// Estimates the TCC of the best setting without the bias of that choice: each fold is judged by the setting with the
/// highest TCC on the other folds, among the settings with the same number of components and the same folds as the
/// best. NaN if several settings are given but no other setting has these.
double nested_tcc(const std::vector<CvResult>& results);

/// Returns a sentence for every parameter among `names` (the parameters of the grid) whose best value is the lowest or
/// highest of three or more numbers: the optimum may lie outside the grid. Omits parameters that allow no value further
/// out or have no effect (linear CCA is chosen, or another value gives the same correlations).
std::vector<std::string> edge_advice(const std::vector<CvResult>& results, const std::vector<std::string>& names);

/// All combinations of parameter values, as text (see set_from_text), added to the given parameters, which take
/// precedence over a preset among the values. The last parameter changes fastest. Failure: UsageError for unknown names
/// and values and for a name given twice.
struct GridAxis {
  std::string name;
  std::vector<std::string> values;
};
std::vector<Parameters> parameter_grid(const ParameterTexts& given, const std::vector<GridAxis>& axes);

}  // namespace treecca
