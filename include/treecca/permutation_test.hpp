// Is it real? A permutation test of the canonical correlations.
//
// Statistic: the out-of-fold correlations of a smaller fit than the model's own: one cross-fit of 5 folds with 30
// rounds at a learning rate of 0.2, at most 32 bins and four oversamples. All that looks at the pairing of the rows is
// part of it: screening, trees, linear CCA, the choice of the blend, the rotation. The data as they are and the
// permuted data get the same statistic.
//
// Null distribution: the rows of all views but the first are permuted, each view by an order of its own. Groups,
// weights and covariates stay where they are. Components are tested in turn (step-down): component k is compared with
// the highest correlation of each permutation among K - k + 1 components, as many as have not been tested yet. So
// p-values hold for all components together (family-wise), whether or not the components before are real. Correlations
// are out-of-fold, so a true component does not raise those of the others. Pairs of views are tested in the same way,
// all pairs together.
//
// Stopping: a component that 50 permutations have reached gets p = 50 / (permutations until then) and needs no more
// (Besag and Clifford 1991); otherwise p = (1 + those that reached it) / (1 + permutations). Both are valid p-values.
//
// What concerns one view alone (bins, initial values, axes) is made once. Results do not depend on the number of
// threads.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "treecca/fit.hpp"

namespace treecca {

/// What is exchangeable if the views have nothing to do with each other.
enum class Permute {
  automatic,      // groups if there are any, else rows
  rows,           // every row
  groups,         // whole groups, among those of equal size
  within_groups,  // the rows of each group
};

/// By name: auto, rows, groups, within_groups. UsageError otherwise.
Permute permute_kind(std::string_view name);
std::string_view name_of(Permute kind);

struct PermutationOptions {
  FitOptions fit;  // groups, weights, stop; on_round: permutations done, of all
  Index n_permutations = 999;
  Permute permute = Permute::automatic;
};

/// M views, K components, in descending order of the correlations here.
struct PermutationTest {
  std::vector<double> correlations;           // K: the statistic, mean over pairs of views
  std::vector<double> p_values;               // K, non-decreasing
  std::vector<double> pairwise_correlations;  // M x M x K
  std::vector<double> pairwise_p_values;      // M x M x K, for all pairs and components together; NaN on the diagonal
  Matrix<double> null;                        // permutations made x K: what each component is compared with
  Permute permute = Permute::rows;            // never automatic
  Index n_permutations = 0;                   // asked for; fewer were made if the decision was clear
  std::vector<std::string> warnings;
};

/// `parameters`: those of the fit to be tested; rounds, folds and bins are replaced as above, and another engine by the
/// native one. Failure: as fit; UsageError for fewer than one permutation and for several processes; DataError if
/// nothing can be permuted.
PermutationTest permutation_test(const std::vector<View>& views, const Parameters& parameters,
                                 const PermutationOptions& options = {});

}  // namespace treecca
