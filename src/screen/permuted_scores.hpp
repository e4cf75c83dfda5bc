// Scores of the best pairs when the rows of the views are permuted: what chance reaches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "screen/pair_scores.hpp"
#include "treecca/model.hpp"

namespace treecca {

struct PermutedScores {
  std::vector<double> maxima;   // per permutation the highest score of any feature, descending
  std::vector<double> medians;  // per view the median score of the features that can be judged, over all permutations
};

/// Every permutation reorders the rows of each view but the first, so that nothing of the pairing of rows is left; each
/// view stays as it is within. Where rows lack views (samples), the rows that two views share are permuted. Minus
/// infinity where no feature can be judged.
PermutedScores permuted_scores(const std::vector<BinnedView>& views, const std::vector<std::vector<RankBins>>& bins,
                               std::span<const float> weights, Index permutations, std::uint64_t seed, Threads threads,
                               const Samples& samples = Samples());

/// (1 + how many of the maxima are at least the score) / (1 + how many there are).
double permutation_p_value(const std::vector<double>& maxima, double score);

/// Scores as users see them, of all rows; p-values where there are maxima of permutations.
FeatureScores public_scores(const ViewScores& scores, const std::vector<double>& maxima);

}  // namespace treecca
