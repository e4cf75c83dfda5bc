// Permutation test of the canonical correlations.
//
// Statistic: the out-of-fold correlations of a fit smaller than the model's: one cross-fit of 5 folds with 30 rounds at
// a learning rate of 0.2, at most 32 bins and four oversamples. It includes all steps that use the pairing of the rows:
// screening, trees, linear CCA, the choice of the blend, the rotation. The same statistic is computed for the data and
// for every permutation.
//
// Null distribution: the rows of all views except the first are permuted, each view in its own order. Groups, weights
// and covariates keep their places. The correlations of the data are tested from the highest to the lowest (step-down):
// the k-th highest is compared, in each permutation, with the highest correlation among the first K - k + 1 components
// of that permutation, the number not yet tested. The order of these components comes from the permutation's rotations,
// which were estimated on other folds. So p-values hold for all components together (family-wise error rate), whether
// or not earlier components are real. Correlations are out-of-fold, so a true component does not raise the correlations
// of the others. Pairs of views are tested in the same way, all pairs together.
// Stopping: if 50 permutations have reached a component's correlation, p = 50 / (permutations until the 50th), and the
// component is not tested further (Besag and Clifford 1991). Otherwise p = (1 + number that reached it) / (1 +
// permutations). Both are valid p-values. A p-value below the preceding p-value is raised to it. The test ends when all
// components (and pairs) have been reached 50 times.
//
// Steps that use one view only (bins, initial values, axes) are done once. Results do not depend on the number of
// threads.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "treecca/fit.hpp"

namespace treecca {

/// The units that are exchangeable if the views are independent.
enum class Permute {
  automatic,      // groups if there are any, else rows
  rows,           // every row
  groups,         // whole groups, exchanged with groups of equal size
  within_groups,  // the rows of each group
};

/// By name: auto, rows, groups, within_groups. UsageError otherwise.
Permute permute_kind(std::string_view name);
std::string_view name_of(Permute kind);

struct PermutationOptions {
  FitOptions fit;  // groups, weights, stop; on_round reports the number of permutations done
  Index n_permutations = 999;
  Permute permute = Permute::automatic;
  /// The model, or null. If given, the test warns if `views` are not the views of its fit, in its order.
  const Model* fitted = nullptr;
};

/// M views, K components, in descending order of these correlations: entry k belongs to the k-th highest correlation of
/// the test, not to component k of the model, which may order components differently.
struct PermutationTest {
  std::vector<double> correlations;           // K: the statistic, mean over pairs of views
  std::vector<double> p_values;               // K, non-decreasing
  std::vector<double> pairwise_correlations;  // M x M x K
  std::vector<double> pairwise_p_values;      // M x M x K, for all pairs and components together; NaN on the diagonal
  /// Permutations done x K. Column k (from 0): the highest correlation among the first K - k components of each
  /// permutation, with which correlations[k] is compared.
  Matrix<double> null;
  Permute permute = Permute::rows;  // never automatic
  Index n_permutations = 0;         // requested; fewer were done if the test stopped early
  std::vector<std::string> warnings;
};

/// `parameters`: the parameters of the model's fit; rounds, folds and bins are replaced as above, and another engine by
/// the native engine. Failure: as fit; UsageError for fewer than one permutation and for several processes; DataError
/// if nothing can be permuted.
PermutationTest permutation_test(const std::vector<View>& views, const Parameters& parameters,
                                 const PermutationOptions& options = {});

}  // namespace treecca
