#include "boost/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "boost/resolve.hpp"
#include "boost/start.hpp"
#include "support/parallel.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

std::vector<Start> timed_starts(const std::vector<View>& views, const Parameters& parameters, Threads threads,
                                const Shard& shard, StageClock& clock, std::vector<BaseMargin>& base_margins) {
  std::vector<Start> starts;
  clock.time("start", [&] {
    for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
      starts.push_back(start_values(views[v], v, parameters, threads, shard));
    }
  });
  base_margins.resize(views.size());
  if (parameters.init_fade == 0) {
    for (std::size_t v = 0; v < views.size(); ++v) base_margins[v] = starts[v].map;
  }
  return starts;
}

/// Threads that have next to nothing to do cost more than they bring, most of all on a busy machine.
int worthwhile_threads(const std::vector<View>& views, const Parameters& parameters) {
  constexpr double kWorthThreads = 3e5;  // updates of histograms in a round, about 0.3 ms
  double updates = 0;
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    updates += static_cast<double>(views[v].values.rows()) * static_cast<double>(views[v].values.cols()) *
               parameters.colsample_bytree.at(v) * static_cast<double>(parameters.max_depth.at(v));
  }
  const Index trees = parameters.trees == Trees::joint ? 1 : parameters.trained_components();
  updates *= static_cast<double>(trees * std::max<Index>(1, parameters.cross_fit));
  return updates < kWorthThreads ? 1 : thread_count(parameters.n_jobs);
}

const std::vector<BinnedView>& timed_bins(BinCache& cache, const Parameters& parameters, Threads threads,
                                          StageClock& clock) {
  const std::vector<BinnedView>* bins = nullptr;
  clock.time("bin", [&] { bins = &cache.bins_for(parameters, threads); });
  return *bins;
}

}  // namespace

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
    : threads_(worthwhile_threads(views, parameters), options.stop),
      folds_(make_folds(shard, parameters.cross_fit, options.groups, parameters.random_state)),
      weights_(make_weights(options.sample_weight, shard, kLeastRows)),
      engine_(make_engine({views, parameters, folds_, weights_, options.engine_params, threads_},
                          timed_bins(cache, parameters, threads_, clock_))),
      trainer_(parameters, timed_starts(views, parameters, threads_, shard, clock_, base_margins_), folds_, weights_,
               *engine_, options, clock_) {
  check_weights_in_folds(weights_, folds_);
}

}  // namespace treecca
