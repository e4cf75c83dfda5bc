// Chooses the features that the trees of every view and fold may use.
//
// Fold f chooses without its own rows: among many features, some always fit the rows they were chosen on. Permutations
// use all rows, but not their pairing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/binning.hpp"
#include "samples/folds.hpp"
#include "screen/pair_scores.hpp"
#include "screen/permuted_scores.hpp"
#include "screen/rank_bins.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// screen = auto first looks for features that score above every feature in this many permutations: level 1 / (1 +
/// permutations) for all features together. If there are any, it keeps all features that score above every feature in
/// half of the permutations.
inline constexpr Index kAutoPermutations = 19;
/// If more than this fraction of a view's other features score above the median of the permutations (by chance, half
/// would), the signal is widespread and all features are kept.
inline constexpr double kSpread = 0.6;
/// A view with fewer features per row than this is not screened: trees can use them all. Measured with one relevant
/// feature of 100 and 1,000 to 5,000 rows (docs/defaults.md).
inline constexpr double kManyPerRow = 0.02;

/// Number of features that screen = auto keeps if fewer are significant than there are components.
Index least_kept(Index n_components);

/// Whether screen = auto applies to a view.
bool is_wide(Index features, Index rows, Index n_components);

/// The part of screening that uses each view alone, or views whose rows are permuted: shared by all sets of folds.
/// Empty for views that are not screened.
struct ScreenBasis {
  std::vector<std::vector<RankBins>> bins;  // per view and feature
  PermutedScores permuted;                  // only with screen = auto
};
ScreenBasis screen_basis(const std::vector<BinnedView>& views, const Parameters& parameters, const Samples& samples,
                         std::uint64_t seed, Threads threads);

/// The best pairs of all features: on all rows that are in a fold, and without each held-out fold.
std::vector<ViewScores> scores_in(const std::vector<BinnedView>& views, const ScreenBasis& basis, const Folds& folds,
                                  Threads threads);

/// Per view; empty for views that are not screened. `parameters` with screen as given.
std::vector<Screening> screened_features(const std::vector<BinnedView>& views, const ScreenBasis& basis,
                                         const Parameters& parameters, const Folds& folds, Threads threads);

}  // namespace treecca
