// Stability: refits to half-samples and with other seeds, compared with the model.
//
// Subsamples: the samples are split at random into two halves, n_subsamples / 2 times (complementary pairs, Shah and
// Samworth 2013); groups stay together. The model's settings, as given, are fitted to each half with another seed;
// "auto" rules use the number of samples of the half. Seeds: the settings are fitted to all samples with other seeds.
//
// Agreement: the correlation of a component's variates from the fits to the two halves of a pair, which share no
// sample; mean over views and both halves. For each sample, the variate from the fit to the other half is compared with
// the out-of-fold variate from its own half, so neither fit has seen the sample. Each fit is first matched with the
// model on its own half: one to one, with signs flipped in all views together, and, for `recovered`, by the nearest
// rotation. A component that does not agree but is recovered has mixed with others: interpret them together. Seeds:
// correlation with the model's component, both out-of-fold.
//
// Features: importances of the rotated refits to half-samples. If an estimate is asymptotically linear, half-samples
// without replacement vary around their mean as much as full samples do; otherwise they vary more.
// Covariates: a half may lack a class, or have only one value of a covariate; its fit then leaves out the class or
// covariate. The agreement leaves out samples that one of the two fits cannot adjust for this reason.
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
  FitOptions fit;  // groups, weights, covariates, stop: as in the fit; on_round reports the number of refits done
  Index n_subsamples = 50;         // even, at least 2
  Index n_seeds = 5;               // 0: none
  Index n_top = 0;                 // features per component that count as selected; 0: floor(sqrt(0.8 p)), at least 1
  std::uint64_t random_state = 0;  // of the halves and of the seeds of the refits
  std::vector<double> p_values;    // K, from a permutation test, in its order, for the suggested number; or empty
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
/// `views`, and groups, weights and covariates of the options: the same as in the fit. Failure: as fit; UsageError for
/// options out of range, a model of one table and several processes; DataError if the samples are not the samples of
/// the fit, and for halves that cannot be fitted.
Stability stability(const Model& model, const std::vector<View>& views, const StabilityOptions& options = {});

}  // namespace treecca
