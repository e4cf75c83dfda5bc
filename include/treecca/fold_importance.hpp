// Permutation importance on the samples of the fit, out of fold.
// The samples are split into five folds (fewer if there are fewer groups); groups stay together. The model's settings
// are fitted to the samples outside each fold, with another seed. Each fit is rotated towards the components of the
// model, using the samples that both have seen. The values of a feature are then permuted among the left-out samples
// alone, as in permutation_importances: correlations, drops and permutations are within a fold. The result is the mean
// over the folds, weighted by their numbers of samples. Left-out samples with a class of a covariate that is only in
// the fold are not used, because the fit cannot adjust for it.
// The result describes fits to four fifths of the samples, which are slightly less precise than the model. Costs five
// fits. Results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/permutation_importance.hpp"

namespace treecca {

struct OutOfFoldImportanceOptions {
  FitOptions fit;                  // groups, weights, covariates, stop: as in the fit; on_round: refits done, of all
  Index n_permutations = 5;        // within every fold, 1 to 10,000
  std::uint64_t random_state = 0;  // of the folds, of the fits and of the permutations
};

/// `views`, and groups, weights and covariates of the options: the same as in the fit. `deviations` of the result are
/// the standard deviations of the mean over the folds. Failure: as fit; UsageError for n_permutations out of range, a
/// model of one table and several processes; DataError if the samples are not the samples of the fit, for folds of
/// fewer than three samples, and if the samples outside a fold cannot be fitted.
PermutationImportances out_of_fold_importances(const Model& model, const std::vector<View>& views,
                                               const OutOfFoldImportanceOptions& options = {});

}  // namespace treecca
