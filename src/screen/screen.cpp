#include "treecca/screen.hpp"

#include <fmt/format.h>

#include <numeric>

#include "data/dataset.hpp"
#include "screen/pair_scores.hpp"
#include "screen/permuted_scores.hpp"
#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {

std::vector<FeatureScores> screen(const std::vector<View>& given_views, const ScreenOptions& options) {
  constexpr Index kMaxPermutations = 1000000;
  if (options.n_permutations < 0 || options.n_permutations > kMaxPermutations) {
    throw UsageError(fmt::format("n_permutations must be a whole number at least 0 and at most {}, not {}.",
                                 kMaxPermutations, options.n_permutations));
  }
  SampleOptions about_samples;
  about_samples.sample_weight = options.sample_weight;
  const Dataset data = check_dataset(given_views, about_samples);
  const std::vector<View>& views = data.views;
  const Index n_rows = data.samples.here();
  const Threads threads(thread_count(options.n_jobs), options.stop);
  std::vector<BinnedView> binned;
  std::vector<std::vector<RankBins>> bins;
  for (const View& view : views) {
    binned.emplace_back(view, 255, threads);
    check_varies(binned.back(), view.name);
    bins.push_back(rank_bins(binned.back(), threads));
  }
  std::vector<RowIndex> rows(static_cast<std::size_t>(n_rows));
  std::iota(rows.begin(), rows.end(), RowIndex{0});
  const RowOrder order{std::vector(views.size(), rows), {0, n_rows}, false};
  const std::vector<ViewScores> scores = pair_scores(binned, bins, order, data.samples.weights(), threads);
  const PermutedScores permuted =
      permuted_scores(binned, bins, data.samples.weights(), options.n_permutations, options.random_state, threads);
  std::vector<FeatureScores> result;
  for (const ViewScores& one : scores) result.push_back(public_scores(one, permuted.maxima));
  return result;
}

}  // namespace treecca
