#include "screen/choose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/feature_sets.hpp"
#include "screen/pair_scores.hpp"
#include "screen/permuted_scores.hpp"
#include "screen/rank_bins.hpp"
#include "support/order.hpp"

namespace treecca {
namespace {

FeatureSet all_features(Index count) {
  FeatureSet all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The highest score; of equal scores, a feature that can be split comes first.
FeatureSet best_features(const std::vector<float>& score, Index count, const BinnedView& view) {
  std::vector<Index> order = descending_order(view.features(), [&](Index j) { return view.varies(j) ? 1 : 0; });
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return score[static_cast<std::size_t>(a)] > score[static_cast<std::size_t>(b)];
  });
  order.resize(static_cast<std::size_t>(std::min(count, view.features())));
  std::sort(order.begin(), order.end());
  return {order.begin(), order.end()};
}

FeatureSet automatic(const std::vector<float>& score, const PermutedScores& permuted, std::size_t v, Index n_components,
                     const BinnedView& view) {
  const auto above = [&](double threshold) {
    return static_cast<Index>(std::count_if(score.begin(), score.end(), [&](float s) { return s > threshold; }));
  };
  const Index standing_out = above(permuted.maxima[permuted.maxima.size() / 2]);
  // Of the other features (that can be judged), half score above the median by chance, with an error of 1 / (2
  // sqrt(n)).
  const Index judged = above(std::numeric_limits<double>::lowest());
  const auto others = static_cast<double>(judged - standing_out);
  const double by_chance = 0.5 + 1.5 / std::sqrt(static_cast<double>(judged));
  const bool spread =
      static_cast<double>(above(permuted.medians[v]) - standing_out) > std::max(kSpread, by_chance) * others;
  if (above(permuted.maxima.front()) == 0 || spread) return all_features(view.features());
  return best_features(score, standing_out < n_components ? least_kept(n_components) : standing_out, view);
}

/// Whether some features of a view are left out.
bool chooses(const std::vector<BinnedView>& views, Index v, const Parameters& parameters) {
  const BinnedView& view = views[static_cast<std::size_t>(v)];
  if (parameters.screen.is_auto()) return is_wide(view.features(), view.rows(), parameters.trained_components());
  return parameters.screen.at(v) > 0 && parameters.screen.at(v) < view.features();
}

bool chooses_any(const std::vector<BinnedView>& views, const Parameters& parameters) {
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    if (chooses(views, v, parameters)) return true;
  }
  return false;
}

}  // namespace

Index least_kept(Index n_components) { return std::max<Index>(20, 4 * n_components); }

bool is_wide(Index features, Index rows, Index n_components) {
  return features > least_kept(n_components) && static_cast<double>(features) > kManyPerRow * static_cast<double>(rows);
}

ScreenBasis screen_basis(const std::vector<BinnedView>& views, const Parameters& parameters, const Samples& samples,
                         std::uint64_t seed, Threads threads) {
  ScreenBasis basis;
  if (!chooses_any(views, parameters)) return basis;
  for (std::size_t v = 0; v < views.size(); ++v) {
    basis.bins.push_back(rank_bins(views[v], threads, samples, static_cast<Index>(v)));
  }
  if (parameters.screen.is_auto()) {
    basis.permuted = permuted_scores(views, basis.bins, samples.weights(), kAutoPermutations, seed, threads, samples);
  }
  return basis;
}

std::vector<ViewScores> scores_in(const std::vector<BinnedView>& views, const ScreenBasis& basis, const Folds& folds,
                                  Threads threads) {
  const RowOrder order{std::vector(views.size(), folds.order), folds.begin, folds.held_out};
  const auto shared = [&](std::size_t v, std::size_t w) {
    const FoldRows& rows = folds.shared(static_cast<Index>(v), static_cast<Index>(w));
    RowOrder of_pair{std::vector<std::vector<RowIndex>>(views.size()), rows.begin, folds.held_out};
    of_pair.rows[v] = of_pair.rows[w] = rows.order;
    return of_pair;
  };
  const std::span<const float> weights = folds.samples->weights();
  return folds.samples->complete() ? pair_scores(views, basis.bins, order, weights, threads)
                                   : pair_scores_where_shared(views, basis.bins, shared, weights, threads);
}

std::vector<Screening> screened_features(const std::vector<BinnedView>& views, const ScreenBasis& basis,
                                         const Parameters& parameters, const Folds& folds, Threads threads) {
  const auto n_views = static_cast<Index>(views.size());
  const bool automatically = parameters.screen.is_auto();
  std::vector<Screening> screenings(views.size());
  for (Index v = 0; v < n_views; ++v) {
    const bool asked = automatically || parameters.screen.at(v) > 0;
    if (asked) screenings[v].kept.assign(static_cast<std::size_t>(folds.count), all_features(views[v].features()));
  }
  if (basis.bins.empty()) return screenings;

  const std::vector<ViewScores> scores = scores_in(views, basis, folds, threads);
  for (Index v = 0; v < n_views; ++v) {
    if (screenings[v].empty()) continue;
    screenings[v].scores = public_scores(scores[v], basis.permuted.maxima);
    for (int f = 0; f < folds.count && chooses(views, v, parameters); ++f) {
      const std::vector<float>& score = scores[v].score[folds.held_out ? static_cast<std::size_t>(f) + 1 : 0];
      screenings[v].kept[f] = automatically ? automatic(score, basis.permuted, static_cast<std::size_t>(v),
                                                        parameters.trained_components(), views[v])
                                            : best_features(score, parameters.screen.at(v), views[v]);
    }
  }
  return screenings;
}

}  // namespace treecca
