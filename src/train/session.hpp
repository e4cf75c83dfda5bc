// One training from checked views to trained encoders: bins, folds, screening, start values, engine, rounds.
//
// fit and cross_validate share it; several sessions over the same views share their bins.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "data/binning.hpp"
#include "engines/make_engine.hpp"
#include "samples/folds.hpp"
#include "screen/choose.hpp"
#include "support/stage_clock.hpp"
#include "support/threads.hpp"
#include "train/trainer.hpp"
#include "treecca/fit.hpp"

namespace treecca {

/// The views cut into bins, once per choice of max_bin.
class BinCache {
 public:
  /// `shard` has the rows of the views. The views must outlive the cache.
  BinCache(const std::vector<View>& views, const Shard& shard) : views_(views), shard_(shard) {}

  /// Failure: DataError for infinities and for a view in which nothing varies.
  const std::vector<BinnedView>& bins_for(const Parameters& parameters, Threads threads);

 private:
  const std::vector<View>& views_;
  Shard shard_;
  std::map<std::vector<Index>, std::vector<BinnedView>> bins_;  // by max_bin of every view
};

/// colsample_bytree = auto for a view with so many features.
double automatic_share(Index features);

class Session {
 public:
  /// `views` from checked_views, `parameters` from resolved; everything by reference must outlive the session.
  Session(const std::vector<View>& views, const Parameters& parameters, const FitOptions& options, const Shard& shard,
          BinCache& cache);

  void run() { trainer_.run(); }

  /// Those given, with what had to wait for screening.
  const Parameters& parameters() const { return parameters_; }
  /// Per view: what was left to the trees.
  std::vector<Screening>& screenings() { return screenings_; }
  const FeatureSets& kept() const { return kept_; }
  const RowWeights& weights() const { return weights_; }
  const Folds& folds() const { return folds_; }
  Threads threads() const { return threads_; }
  StageClock& clock() { return clock_; }
  Trainer& trainer() { return trainer_; }
  /// Per view: the start values as a function of the features where they are kept, else empty.
  std::vector<BaseMargin>& base_margins() { return base_margins_; }

 private:
  StageClock clock_;
  Folds folds_;
  RowWeights weights_;
  const std::vector<BinnedView>& bins_;
  std::vector<Screening> screenings_;
  FeatureSets kept_;
  Parameters parameters_;
  Threads threads_;
  std::vector<BaseMargin> base_margins_;
  std::unique_ptr<Engine> engine_;
  Trainer trainer_;
};

}  // namespace treecca
