// Correlations of variates: M >= 2 matrices N x K with the same samples in the same order.
//
// If all variates of a sample in a view are NaN, the sample lacks the view; a correlation of two views uses the samples
// that have both. `weights`: empty, or one non-negative weight per sample.
// Failure: DataError for fewer than two views, different shapes, any other non-finite number, and two views that share
// fewer than two samples.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treecca/matrix.hpp"

namespace treecca {

/// Pearson correlation of component k between views i and j, row-major M x M x K. A constant column has correlation 0
/// with everything.
std::vector<double> pairwise_correlations(const std::vector<Matrix<float>>& variates,
                                          std::span<const float> weights = {});

/// Per component, the mean of these correlations over all pairs of views (signed): K numbers.
std::vector<double> component_correlations(const std::vector<Matrix<float>>& variates,
                                           std::span<const float> weights = {});

/// Total correlation captured, as in the paper: the sum over components of the absolute correlation (mean over all
/// pairs of views).
double tcc(const std::vector<Matrix<float>>& variates);

/// Total correlation captured out of fold: the sum over components of the correlation, where negative ones count 0.
double total_correlation(const std::vector<double>& per_component);

/// TCC of distinct components: first makes the variates of every view orthogonal on these rows (Gram-Schmidt, in the
/// order of the components), so that nothing counts twice. Lower than `tcc` if components repeat each other.
double distinct_tcc(const std::vector<Matrix<float>>& variates);

/// Standard errors of correlations, assuming independent samples: (1 - r^2) / sqrt(samples). For use without variates.
std::vector<double> approximate_standard_errors(const std::vector<double>& correlations, double independent_samples);

/// Sample sizes that noise thresholds depend on. Effective sizes (see Model::effective_samples).
struct NoiseLevel {
  double rows = 0;         // samples, groups or not
  double independent = 0;  // G: groups, or samples if there are no groups
  double comparisons = 1;  // C: number of correlations that are compared with noise together
};

/// Noise thresholds of correlations with standard errors s_z on Fisher's scale (s / (1 - r^2)): tanh(2 t s_z). s_z is
/// at least 1 / sqrt(rows), the value for independent normal samples; t is the 1 - 0.02 / C point of Student's t with
/// G - 1 degrees of freedom. The factor 2: out-of-fold correlations of unrelated views vary twice as much as
/// correlations of independent rows, because folds share training rows (measured: docs/defaults.md).
std::vector<double> noise_thresholds(const std::vector<double>& fisher_errors, const NoiseLevel& level);

/// Whether there are enough independent samples (8) for a noise threshold.
bool can_tell_noise(double independent_samples);

}  // namespace treecca
