#include "treecca/screen.hpp"

#include <fmt/format.h>

#include <utility>

#include "data/dataset.hpp"
#include "samples/folds.hpp"
#include "screen/choose.hpp"
#include "screen/permuted_scores.hpp"
#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {

std::vector<FeatureScores> screen(const std::vector<View>& given_views, const ScreenOptions& options) {
  constexpr Index kMaxPermutations = 1000000;
  if (options.n_permutations < 0 || options.n_permutations > kMaxPermutations) {
    throw UsageError(fmt::format("n_permutations must be an integer from 0 to {}, not {}.", kMaxPermutations,
                                 options.n_permutations));
  }
  SampleOptions about_samples;
  about_samples.sample_weight = options.sample_weight;
  const Dataset data = check_dataset(given_views, about_samples);
  const std::vector<View>& views = data.views;
  const Threads threads(thread_count(options.n_jobs), options.stop);
  std::vector<BinnedView> binned;
  std::vector<std::vector<RankBins>> bins;
  for (const View& view : views) {
    binned.emplace_back(view, 255, threads);
    check_varies(binned.back(), view.name);
    bins.push_back(rank_bins(binned.back(), threads, data.samples, static_cast<Index>(bins.size())));
  }
  ScreenBasis basis;
  basis.bins = std::move(bins);
  basis.permuted = permuted_scores(binned, basis.bins, data.samples.weights(), options.n_permutations,
                                   options.random_state, threads, data.samples);
  const std::vector<ViewScores> scores = scores_in(binned, basis, Folds::all_rows(data.samples), threads);
  std::vector<FeatureScores> result;
  for (const ViewScores& one : scores) result.push_back(public_scores(one, basis.permuted.maxima));
  return result;
}

}  // namespace treecca
