#include "treecca/screen.hpp"

#include <fmt/format.h>

#include <numeric>

#include "boost/resolve.hpp"
#include "boost/weights.hpp"
#include "select/pair_scores.hpp"
#include "select/public_scores.hpp"
#include "select/shuffles.hpp"
#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {

std::vector<FeatureScores> screen(const std::vector<View>& given_views, const ScreenOptions& options) {
  constexpr Index kMostShuffles = 1000000;
  if (options.n_permutations < 0 || options.n_permutations > kMostShuffles) {
    throw UsageError(fmt::format("n_permutations must be a whole number at least 0 and at most {}, not {}.",
                                 kMostShuffles, options.n_permutations));
  }
  const std::vector<View> views = checked_views(given_views, {});
  const Index n_rows = views[0].values.rows();
  const RowWeights weights = make_weights(options.sample_weight, n_rows, kLeastRows);
  const Threads threads(thread_count(options.n_jobs), options.stop);
  std::vector<BinnedView> binned;
  std::vector<std::vector<RankBins>> bins;
  for (const View& view : views) {
    binned.emplace_back(view, 255, threads);
    check_varies(binned.back(), view.name);
    bins.push_back(rank_bins(binned.back(), threads));
  }
  std::vector<Rows> rows(static_cast<std::size_t>(n_rows));
  std::iota(rows.begin(), rows.end(), Rows{0});
  const ScreenOrder order{std::vector(views.size(), rows), {0, n_rows}, false};
  const std::vector<ViewScores> scores = pair_scores(binned, bins, order, weights.values, threads);
  const Shuffles shuffles =
      shuffled_scores(binned, bins, weights.values, options.n_permutations, options.random_state, threads);
  std::vector<FeatureScores> result;
  for (const ViewScores& one : scores) result.push_back(public_scores(one, shuffles.maxima));
  return result;
}

}  // namespace treecca
