// Scores of the best pairs after permuting the rows of the views: the null distribution of screening.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "screen/pair_scores.hpp"
#include "treecca/model.hpp"

namespace treecca {

struct PermutedScores {
  std::vector<double> maxima;   // per permutation the maximum score of all features, descending
  std::vector<double> medians;  // per view the median score over all permutations, of features that can be judged
};

/// Every permutation reorders the rows of each view except the first. This breaks the pairing of rows but leaves each
/// view unchanged. If rows lack views (`samples`), the rows that two views share are permuted. Scores are minus
/// infinity if no feature can be judged.
PermutedScores permuted_scores(const std::vector<BinnedView>& views, const std::vector<std::vector<RankBins>>& bins,
                               std::span<const float> weights, Index permutations, std::uint64_t seed, Threads threads,
                               const Samples& samples = Samples());

/// (1 + number of maxima >= score) / (1 + number of maxima).
double permutation_p_value(const std::vector<double>& maxima, double score);

/// Scores for the user, from all rows; with p-values if there were permutations.
FeatureScores public_scores(const ViewScores& scores, const std::vector<double>& maxima);

}  // namespace treecca
