// The choice among blends, by correlations on rows that no part saw, and how far the reported correlations can be
// trusted.
#pragma once

#include <vector>

#include "fit/candidate.hpp"
#include "objective/correlations.hpp"
#include "samples/samples.hpp"

namespace treecca {

struct StandardErrors {
  std::vector<double> per_component;  // K: of the mean over pairs
  std::vector<double> pairwise;       // M x M x K, 0 on the diagonal
  // On Fisher's scale, of the rows as they are; and what correlations of the shipped mean exceed those of the rows by,
  // from 1 to 2: K and M x M x K, empty for 1. It is part of the errors above.
  ComponentNumbers fisher;
  ComponentNumbers stretch;
};

struct Choice {
  std::size_t best = 0;               // of the candidates
  ComponentCorrelations out_of_fold;  // nested: each fold contributes the candidate that the other folds would choose
  StandardErrors standard_errors;
};

/// The candidate with the highest TCC of the plain mean over repeats: lower than that of the shipped mean for trees,
/// but steadier with few rows.
Choice choose(const std::vector<Candidate>& candidates, const Samples& samples);

/// Correlations of a choice among candidates: fold f counts as the candidate has it whose plain covariances give the
/// highest TCC on the other folds.
ComponentCorrelations nested_correlations(const std::vector<FoldCovariances>& plain,
                                          const std::vector<FoldCovariances>& shipped, int n_views, Index n_samples);

/// Standard errors of correlations, from the influence of every row on them, summed within groups. `variates`: per view
/// N x K, centred. Rows count for the pairs of views that they have. Collective.
StandardErrors standard_errors(const std::vector<Matrix<double>>& variates, const Samples& samples);

}  // namespace treecca
