// Confidence intervals of the correlations that a fit reports.
//
// Target: the correlation of the fitted model on new samples of the same kind. 95%, symmetric on
// Fisher's scale:
//     atanh(r) -+ t * f * s,    s = standard error / (1 - r^2),    f = sqrt(1 + J / (J - 1)),
// where t is the 0.975 point of Student's t with G - 1 degrees of freedom (G: effective number of independent samples
// or groups) and J the number of folds. The standard error covers only the variation of the samples that a correlation
// is measured on. Fits that leave out different folds share most of their training samples, so their errors are
// correlated; f allows for this (Nadeau and Bengio 2003, Machine Learning 52; f is 1.5 for five folds).
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

/// Empty without cross-fitting and for a model of one table, whose correlations compare augmented copies. Files of
/// earlier releases have no standard errors: samples are then assumed normal and independent.
CorrelationIntervals correlation_intervals(const Model& model);

}  // namespace treecca
