// What the best pair scores when the views have nothing to do with each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "screen/pair_scores.hpp"
#include "treecca/model.hpp"

namespace treecca {

struct PermutedScores {
  std::vector<double> maxima;  // per shuffle the greatest score of any feature, descending
  std::vector<double> middle;  // per view the median score of the features that can be judged, over all shuffles
};

/// In every shuffle the rows of each view but the first change places, so that nothing of the pairing of rows is left;
/// views stay as they are within. Minus infinity where nothing can be told from any feature.
PermutedScores permuted_scores(const std::vector<BinnedView>& views, const std::vector<std::vector<RankBins>>& bins,
                               std::span<const float> weights, Index shuffles, std::uint64_t seed, Threads threads);

/// (1 + how many of the maxima are at least the score) / (1 + how many there are).
double permutation_p_value(const std::vector<double>& maxima, double score);

/// Scores as users see them, of all rows; p-values where there are maxima of permutations.
FeatureScores public_scores(const ViewScores& scores, const std::vector<double>& maxima);

}  // namespace treecca
