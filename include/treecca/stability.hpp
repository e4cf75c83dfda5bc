// Stability: refits to half-samples and with other seeds, compared with the model.
//
// Subsamples: the samples are split at random into two halves, n_subsamples / 2 times (complementary pairs, Shah and
// Samworth 2013); groups stay together. The recipe of the model is fitted to each half: as asked for, with rules that
// depend on the number of samples applied to the half, and with its own seed. Seeds: it is fitted to all samples with
// other seeds.
//
// Agreement: the correlation of a component's variates from the fits to the two halves of a pair, which share no
// sample; mean over views and both halves. For each sample, the variate of the fit to the other half is compared with
// the out-of-fold one of its own half, so neither has seen it. Both fits are first matched with the model on the
// samples that each saw: one to one, with signs flipped in all views together; and, for `recovered`, by the rotation
// that brings them nearest. A component that agrees appears again as it is. One that does not agree but is recovered
// has only mixed with others: read these together. Seeds: correlation with the model's component, both out of fold.
//
// Features: importances of the rotated refits to half-samples. Half-samples without replacement scatter around their
// mean as much as samples of the whole size do if an estimate is asymptotically linear, else more.
//
// Covariates: a half may lack a class, or have one value of a covariate only, which its fit then leaves out. The
// agreement leaves out samples that one of the two fits cannot adjust for this reason.
//
// Results do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "treecca/fit.hpp"
#include "treecca/importance.hpp"

namespace treecca {

/// Minimum mean of `recovered` for a stable component.
inline constexpr double kStable = 0.5;

struct StabilityOptions {
  FitOptions fit;                  // groups, weights, covariates, stop: as in the fit; on_round reports refits done, of
                                   // all
  Index n_subsamples = 50;         // even, at least 2
  Index n_seeds = 5;               // 0: none
  Index n_top = 0;                 // features per component that count as selected; 0: floor(sqrt(0.8 p)), at least 1
  std::uint64_t random_state = 0;  // of the halves and of the seeds of the refits
  std::vector<double> p_values;    // K, from a permutation test, for the suggested number; in its order; or empty
};

/// Per component: the mean over the refits and the range of 95% of them (of few refits: from about the lowest to the
/// highest).
struct RefitRange {
  std::vector<double> mean, low, high;  // K
};

/// Of one view, K x p each.
struct FeatureStability {
  Matrix<double> importance;  // of the model, as component_importances
  Matrix<double> low, high;   // the range of 95% of the half-samples, shifted from their mean to the model's
                              // importance
  Matrix<double> frequency;   // fraction of the half-samples in which the feature is among the n_top most important
  Index n_top = 0;
};

struct Stability {
  RefitRange agreement;                    // pairs of halves, one to one
  RefitRange recovered;                    // pairs of halves, rotated
  RefitRange seed_agreement;               // empty without seeds
  Matrix<double> subsample_correlations;   // n_subsamples x K: out of fold, each in its own order
  Matrix<double> pair_agreement;           // n_subsamples / 2 x K
  Matrix<double> pair_recovered;           // n_subsamples / 2 x K
  std::vector<FeatureStability> features;  // per view
  Index suggested = 0;                     // number of components: 0 to K
  std::string reason;                      // a sentence
};

/// Fits the model again for its out-of-fold variates, then runs n_subsamples + n_seeds refits, several at a time.
/// `views`, and groups, weights and covariates of the options: those of the fit.
/// Failure: as fit; UsageError for options out of range, a model of one table and several processes; DataError if the
/// samples are not those of the fit and for halves that cannot be fitted.
Stability stability(const Model& model, const std::vector<View>& views, const StabilityOptions& options = {});

}  // namespace treecca
