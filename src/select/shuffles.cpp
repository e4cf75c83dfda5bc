#include "select/shuffles.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "support/random.hpp"

namespace treecca {
namespace {

std::vector<Rows> shuffled_rows(Index n, const RandomKey& key) {
  std::vector<Rows> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Rows{0});
  std::sort(rows.begin(), rows.end(), [&](Rows a, Rows b) {
    const auto draw_a = key.bits(a);
    const auto draw_b = key.bits(b);
    return draw_a != draw_b ? draw_a < draw_b : a < b;
  });
  return rows;
}

}  // namespace

std::vector<double> shuffled_maxima(const std::vector<BinnedView>& views, const std::vector<std::vector<RankBins>>& bins,
                                    std::span<const float> weights, Index shuffles, std::uint64_t seed,
                                    Threads threads) {
  const Index n = views[0].rows();
  std::vector<double> maxima;
  for (Index shuffle = 0; shuffle < shuffles; ++shuffle) {
    ScreenOrder order;
    order.fold_begin = {0, n};
    for (std::size_t v = 0; v < views.size(); ++v) {
      order.rows.push_back(shuffled_rows(n, {seed, Draw::shuffle, {static_cast<std::uint64_t>(shuffle), v}}));
      if (v == 0) std::iota(order.rows[0].begin(), order.rows[0].end(), Rows{0});
    }
    double greatest = -std::numeric_limits<double>::infinity();
    for (const ViewScores& scores : pair_scores(views, bins, order, weights, threads)) {
      for (const float score : scores.score[0]) greatest = std::max(greatest, static_cast<double>(score));
    }
    maxima.push_back(greatest);
  }
  std::sort(maxima.begin(), maxima.end(), std::greater<>());
  return maxima;
}

double permutation_p_value(const std::vector<double>& maxima, double score) {
  const auto at_least = std::count_if(maxima.begin(), maxima.end(), [&](double maximum) { return maximum >= score; });
  return static_cast<double>(1 + at_least) / static_cast<double>(1 + maxima.size());
}

}  // namespace treecca
