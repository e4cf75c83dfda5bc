#include "train/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/dataset.hpp"
#include "support/parallel.hpp"
#include "train/align.hpp"
#include "train/screened_start.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::vector<Start> timed_starts(const std::vector<View>& views, const FeatureSets& kept, const Folds& folds,
                                const Parameters& parameters, double samples, Threads threads, StageClock& clock,
                                std::vector<BaseMargin>& base_margins) {
  std::vector<Start> starts;
  clock.time("start", [&] {
    for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
      starts.push_back(screened_start(views[v], v, kept.of_view(v), folds, parameters, threads));
    }
    if (parameters.init_fade > 0) {
      std::vector<Matrix<float>*> values;
      for (Start& start : starts) values.push_back(&start.values);
      reflect_opposed(values, samples, folds.shard);
    }
  });
  base_margins.resize(views.size());
  if (parameters.init_fade == 0) {
    for (std::size_t v = 0; v < views.size(); ++v) base_margins[v] = starts[v].map;
  }
  return starts;
}

/// The mean over the folds: how many features the trees of a view choose from.
Index features_seen(const View& view, const std::vector<std::vector<std::int32_t>>& kept) {
  if (kept.empty()) return view.values.cols();
  std::size_t sum = 0;
  for (const auto& features : kept) sum += features.size();
  return static_cast<Index>((sum + kept.size() / 2) / kept.size());
}

Parameters after_screening(Parameters parameters, const std::vector<View>& views, const FeatureSets& kept) {
  if (!parameters.colsample_bytree.is_auto()) return parameters;
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    parameters.colsample_bytree.values.push_back(automatic_share(features_seen(views[v], kept.of_view(v))));
  }
  return parameters;
}

/// As many threads as the histograms of a round are worth.
int worthwhile_threads(const std::vector<View>& views, const Parameters& parameters, const FeatureSets& kept) {
  double updates = 0;
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    updates += static_cast<double>(views[v].values.rows()) *
               static_cast<double>(features_seen(views[v], kept.of_view(v))) * parameters.colsample_bytree.at(v) *
               static_cast<double>(parameters.max_depth.at(v));
  }
  const Index trees = parameters.trees == Trees::joint ? 1 : parameters.trained_components();
  updates *= static_cast<double>(trees * std::max<Index>(1, parameters.cross_fit));
  constexpr double kMaxOperations = 1e15;  // far beyond what is worth all threads
  return Threads(thread_count(parameters.n_jobs)).for_work(static_cast<Index>(std::min(updates, kMaxOperations))).count;
}

/// XGBoost takes a good part of a millisecond for a tree however small the data, and trains small views side by side.
int training_threads(const std::vector<View>& views, const Parameters& parameters, const FeatureSets& kept,
                     const FitOptions& options) {
  const bool side_by_side = parameters.engine == EngineKind::xgboost && options.engine_params.empty();
  return side_by_side ? thread_count(parameters.n_jobs) : worthwhile_threads(views, parameters, kept);
}

/// For what comes before it is known which features are left.
Threads preparing_threads(const std::vector<View>& views, const Parameters& parameters, const FitOptions& options) {
  const FeatureSets all(static_cast<Index>(views.size()));
  return {worthwhile_threads(views, after_screening(parameters, views, all), all), options.stop};
}

const std::vector<BinnedView>& timed_bins(BinCache& cache, const Parameters& parameters, Threads threads,
                                          StageClock& clock) {
  const std::vector<BinnedView>* bins = nullptr;
  clock.time("bin", [&] { bins = &cache.bins_for(parameters, threads); });
  return *bins;
}

std::vector<Screening> timed_screenings(const std::vector<BinnedView>& bins, const Parameters& parameters,
                                        const Folds& folds, const RowWeights& weights, Threads threads,
                                        StageClock& clock) {
  std::vector<Screening> screenings(bins.size());
  if (parameters.screens()) {
    clock.time("screen", [&] { screenings = screened_features(bins, parameters, folds, weights, threads); });
  }
  return screenings;
}

}  // namespace

double automatic_share(Index features) { return std::clamp(100.0 / static_cast<double>(features), 0.1, 0.8); }

const std::vector<BinnedView>& BinCache::bins_for(const Parameters& parameters, Threads threads) {
  std::vector<Index> max_bin;
  for (Index v = 0; v < static_cast<Index>(views_.size()); ++v) max_bin.push_back(parameters.max_bin.at(v));
  const auto known = bins_.find(max_bin);
  if (known != bins_.end()) return known->second;
  std::vector<BinnedView> binned;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    binned.emplace_back(views_[v], max_bin[v], threads, shard_);
    check_varies(binned.back(), views_[v].name);
  }
  return bins_.emplace(std::move(max_bin), std::move(binned)).first->second;
}

Session::Session(const std::vector<View>& views, const Parameters& parameters, const FitOptions& options,
                 const Shard& shard, BinCache& cache)
    : folds_(make_folds(shard, parameters.cross_fit, options.groups, parameters.random_state)),
      weights_(make_weights(options.sample_weight, shard, kMinRows)),
      bins_(timed_bins(cache, parameters, preparing_threads(views, parameters, options), clock_)),
      screenings_(
          timed_screenings(bins_, parameters, folds_, weights_, preparing_threads(views, parameters, options), clock_)),
      kept_(screenings_),
      parameters_(after_screening(parameters, views, kept_)),
      threads_(training_threads(views, parameters_, kept_, options), options.stop),
      engine_(make_engine({views, bins_, parameters_, folds_, weights_, kept_, options.engine_params, threads_})),
      trainer_(parameters_,
               timed_starts(views, kept_, folds_, parameters_, effective_samples(weights_, options.groups, shard),
                            threads_, clock_, base_margins_),
               folds_, weights_, *engine_, options, clock_) {
  check_weights_in_folds(weights_, folds_);
}

}  // namespace treecca
