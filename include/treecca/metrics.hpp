// Correlations of variates: M >= 2 matrices N x K with the same samples in the same order.
//
// `weights` are none, or one per sample, not negative.
// DataError when there are fewer than two, when their shapes differ or when a number is not finite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// Pearson correlation of component k between views i and j, row-major M x M x K. A constant
/// column correlates 0 with everything.
std::vector<double> pairwise_correlations(const std::vector<Matrix<float>>& variates,
                                          std::span<const float> weights = {});

/// Per component, the mean of the above over all pairs of views: K numbers.
std::vector<double> component_correlations(const std::vector<Matrix<float>>& variates,
                                           std::span<const float> weights = {});

/// Total correlation captured, as in the paper: the sum over components of |correlation| (mean over all pairs of
/// views).
double tcc(const std::vector<Matrix<float>>& variates);

/// The same for correlations that were measured out of fold: the sum over components, where one that correlates
/// negatively has found nothing and counts 0.
double total_correlation(const std::vector<double>& per_component);

/// Threshold that the largest of K out-of-fold correlations rarely exceeds by chance. Allows for the components being
/// sorted, and for folds that are not strangers to each other (cross-fitted correlations of noise scatter by about 1.5
/// / sqrt(N), measured). N counts independent samples: see Model::effective_samples.
double noise_level(double n_samples, Index n_components);

/// The components (from 0) whose out-of-fold correlation exceeds the noise level. n_samples as above.
std::vector<Index> components_above_noise(const std::vector<double>& correlations, double n_samples);

}  // namespace treecca
