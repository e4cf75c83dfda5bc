#include "screen/permuted_scores.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include "support/order.hpp"
#include "support/random.hpp"

namespace treecca {

PermutedScores permuted_scores(const std::vector<BinnedView>& views, const std::vector<std::vector<RankBins>>& bins,
                               std::span<const float> weights, Index permutations, std::uint64_t seed, Threads threads,
                               const Samples& samples) {
  const Index n = views[0].rows();
  PermutedScores result;
  std::vector<std::vector<float>> all(views.size());
  for (Index permutation = 0; permutation < permutations; ++permutation) {
    const auto key_of = [&](std::size_t v) {
      return RandomKey(seed, Draw::shuffle, {static_cast<std::uint64_t>(permutation), v});
    };
    const auto shared = [&](std::size_t v, std::size_t w) {
      RowOrder order{std::vector<std::vector<RowIndex>>(views.size()), {}, false};
      for (Index i = 0; i < n; ++i) {
        if (!samples.has(static_cast<Index>(v), i) || !samples.has(static_cast<Index>(w), i)) continue;
        order.rows[v].push_back(static_cast<RowIndex>(i));
      }
      const auto rows = static_cast<Index>(order.rows[v].size());
      for (const RowIndex at : random_order<RowIndex>(rows, key_of(w))) order.rows[w].push_back(order.rows[v][at]);
      order.fold_begin = {0, rows};
      return order;
    };
    RowOrder order;
    order.fold_begin = {0, n};
    for (std::size_t v = 0; v < views.size() && samples.complete(); ++v) {
      order.rows.push_back(random_order<RowIndex>(n, key_of(v)));
      if (v == 0) std::iota(order.rows[0].begin(), order.rows[0].end(), RowIndex{0});
    }
    const std::vector<ViewScores> scores = samples.complete()
                                               ? pair_scores(views, bins, order, weights, threads)
                                               : pair_scores_where_shared(views, bins, shared, weights, threads);
    float highest = -std::numeric_limits<float>::infinity();
    for (std::size_t v = 0; v < views.size(); ++v) {
      const std::vector<float>& found = scores[v].score[0];
      highest = std::max(highest, *std::max_element(found.begin(), found.end()));
      std::copy_if(found.begin(), found.end(), std::back_inserter(all[v]), [](float s) { return std::isfinite(s); });
    }
    result.maxima.push_back(highest);
  }
  std::sort(result.maxima.begin(), result.maxima.end(), std::greater<>());
  for (std::vector<float>& scores : all) {
    const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 2);
    if (!scores.empty()) std::nth_element(scores.begin(), middle, scores.end());
    result.medians.push_back(scores.empty() ? 0.0 : *middle);
  }
  return result;
}

double permutation_p_value(const std::vector<double>& maxima, double score) {
  const auto at_least = std::count_if(maxima.begin(), maxima.end(), [&](double maximum) { return maximum >= score; });
  return static_cast<double>(1 + at_least) / static_cast<double>(1 + maxima.size());
}

FeatureScores public_scores(const ViewScores& scores, const std::vector<double>& maxima) {
  FeatureScores result;
  result.partner_view = scores.partner_view;
  result.partner = scores.partner;
  for (const float score : scores.score[0]) {
    result.score.push_back(std::max(0.0, static_cast<double>(score)));
    if (!maxima.empty()) result.p_value.push_back(permutation_p_value(maxima, score));
  }
  return result;
}

}  // namespace treecca
