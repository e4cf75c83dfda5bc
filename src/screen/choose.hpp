// Which features the trees of every view and fold may use.
//
// Fold f chooses without its own rows, so that its correlations stay honest: of many features some always fit the rows
// they were chosen by. PermutedScores use all rows, but nothing of how they are paired.
#pragma once

#include <vector>

#include "data/binning.hpp"
#include "samples/folds.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// screen = auto looks for features that beat every feature in this many shuffles: level 1 / (1 + shuffles) for all
/// features together. Where there are such, it keeps what beats every feature in half of the shuffles.
inline constexpr Index kAutoShuffles = 19;
/// Where more than this share of a view's other features score above the median of shuffles, where half would by
/// chance, the signal is spread over many of them: all are kept.
inline constexpr double kSpread = 0.6;
/// A view with fewer features per row than this is not screened: trees cope.
inline constexpr double kManyPerRow = 0.1;

/// What screen = auto keeps where fewer features stand out than there are components.
Index least_kept(Index n_components);

/// Whether screen = auto looks at a view at all.
bool is_wide(Index features, Index rows, Index n_components);

/// Per view; empty for views that are not screened. `parameters` with screen as given.
std::vector<Screening> screened_features(const std::vector<BinnedView>& views, const Parameters& parameters,
                                         const Folds& folds, Threads threads);

}  // namespace treecca
