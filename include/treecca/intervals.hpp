// Confidence intervals of the correlations that a fit reports.
//
// What is covered: the correlation that the fitted model has on new samples of the same kind. 95 %, symmetric on
// Fisher's scale:
//     atanh(r) -+ t * f * s,    s = standard error / (1 - r^2),    f = sqrt(1 + J / (J - 1)),
// where t is the 0.975 point of Student's t with G - 1 degrees of freedom (G: independent samples or groups, by what
// their weights are worth) and J the number of folds. The standard error holds the scatter of the samples that a
// correlation is measured on. Fits that leave out different folds share most of their training samples, and what one
// fold loses the others gain: f allows for it (Nadeau and Bengio 2003, Machine Learning 52; 1.5 for five folds).
// docs/defaults.md has the measured coverage.
#pragma once

#include <vector>

#include "treecca/loadings.hpp"
#include "treecca/model.hpp"

namespace treecca {

struct CorrelationIntervals {
  std::vector<Interval> per_component;  // K: of the mean over pairs of views
  std::vector<Interval> pairwise;       // M x M x K; zeros on the diagonal; none for one table
};

/// Empty without cross-fitting and for a model of one table, whose correlations are those of augmented copies. Files of
/// earlier releases without standard errors count as normal samples.
CorrelationIntervals correlation_intervals(const Model& model);

}  // namespace treecca
