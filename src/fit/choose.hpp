// Chooses a blend by correlations on held-out rows, and estimates the errors of the reported correlations.
#pragma once

#include <vector>

#include "fit/candidate.hpp"
#include "objective/correlations.hpp"
#include "samples/samples.hpp"

namespace treecca {

struct StandardErrors {
  std::vector<double> per_component;  // K: of the mean over pairs
  std::vector<double> pairwise;       // M x M x K, 0 on the diagonal
  // `fisher`: errors on Fisher's scale for the held-out rows. `stretch`: factors, from 1 to 2, by which correlations of
  // the shipped mean exceed correlations of the held-out rows; K and M x M x K, empty if 1. The errors above include
  // them.
  ComponentNumbers fisher;
  ComponentNumbers stretch;
};

struct Choice {
  std::size_t best = 0;               // of the candidates
  ComponentCorrelations out_of_fold;  // nested: each fold contributes the candidate chosen on the other folds
  StandardErrors standard_errors;
};

/// Chooses the candidate with the highest TCC of the plain mean over repeats. For trees this TCC is lower than the TCC
/// of the shipped mean, but it is more stable with few rows.
Choice choose(const std::vector<Candidate>& candidates, const Samples& samples);

/// Correlations after a choice among candidates: fold f contributes the candidate whose plain covariances give the
/// highest TCC on the other folds.
ComponentCorrelations nested_correlations(const std::vector<FoldCovariances>& plain,
                                          const std::vector<FoldCovariances>& shipped, int n_views, Index n_samples);

/// Standard errors of correlations, from the influence of every row, summed within groups. `variates`: per view N x K,
/// centred. A row counts only in the pairs of views that it has. Collective.
StandardErrors standard_errors(const std::vector<Matrix<double>>& variates, const Samples& samples);

}  // namespace treecca
