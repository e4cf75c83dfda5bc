// Correlations of variates: M >= 2 matrices N x K with the same samples in the same order.
//
// A sample whose variates of a view are all NaN lacks the view; correlations of two views are those of the samples that
// have both. `weights` are none, or one per sample, not negative.
// DataError when there are fewer than two views, when their shapes differ, when another number is not finite, or when
// two views share fewer than two samples.
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

/// TCC of distinct components: the variates of every view are first made orthogonal by Gram-Schmidt in the order of the
/// components, on these rows, so that nothing counts twice. Below `tcc` where components repeat each other.
double distinct_tcc(const std::vector<Matrix<float>>& variates);

/// Standard errors of correlations of independent samples whose variates are not at hand: (1 - r^2) / sqrt(samples).
std::vector<double> approximate_standard_errors(const std::vector<double>& correlations, double independent_samples);

/// What correlations are compared with noise by. Samples are counted by what they are worth (see
/// Model::effective_samples).
struct NoiseLevel {
  double rows = 0;         // samples, groups or not
  double independent = 0;  // G: groups, or samples without groups
  double comparisons = 1;  // C: correlations that are compared with noise together
};

/// Noise thresholds of correlations with standard errors s_z on Fisher's scale (s / (1 - r^2)): tanh(2 t s_z), where
/// s_z is taken to be at least that of independent normal samples (1 / sqrt(rows)) and t is the 1 - 0.02 / C point of
/// Student's t with G - 1 degrees of freedom. The factor 2: out-of-fold correlations of unrelated views scatter twice
/// as much as independent rows would, because folds share training rows (measured: docs/defaults.md).
std::vector<double> noise_thresholds(const std::vector<double>& fisher_errors, const NoiseLevel& level);

/// Whether there are enough independent samples (8) to tell any correlation from noise.
bool can_tell_noise(double independent_samples);

}  // namespace treecca
