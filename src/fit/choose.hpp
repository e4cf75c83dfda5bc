// The choice among blends, by correlations on rows that no part saw, and how far the reported correlations can be
// trusted.
#pragma once

#include <vector>

#include "fit/candidate.hpp"
#include "objective/correlations.hpp"
#include "samples/samples.hpp"

namespace treecca {

struct Choice {
  std::size_t best = 0;                 // of the candidates
  ComponentCorrelations out_of_fold;    // nested: each fold contributes the candidate that the other folds would choose
  std::vector<double> standard_errors;  // K
};

/// The candidate with the highest TCC of the plain mean over repeats: lower than that of the shipped mean for trees, but
/// steadier with few rows.
Choice choose(const std::vector<Candidate>& candidates, const Samples& samples);

/// Standard errors of K correlations, from the influence of every row on them, summed within groups. `variates`: per view
/// N x K, centred. stretch: empty, or K factors. Collective.
std::vector<double> standard_errors(const std::vector<Matrix<double>>& variates, const Samples& samples,
                                    const std::vector<double>& stretch = {});

}  // namespace treecca
