// Splits for tests, with samples that live as long as the process (folds refer to them).
#pragma once

#include <deque>
#include <mutex>

#include "samples/folds.hpp"

namespace treecca::testing {

inline const Samples& kept_samples(Samples samples) {
  static std::mutex mutex;
  static std::deque<Samples> all;
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::move(samples));
}

/// `folds` = 0: all rows in one, none held out.
inline Folds folds_of(Index rows, Index folds = 0, std::uint64_t seed = 0, const SampleOptions& about = {}) {
  return make_folds(kept_samples(Samples(rows, about)), folds, seed);
}

inline SampleOptions in_groups(std::vector<std::int64_t> groups) {
  SampleOptions about;
  about.groups = std::move(groups);
  return about;
}

inline SampleOptions with_weights(std::vector<double> weights) {
  SampleOptions about;
  about.sample_weight = std::move(weights);
  return about;
}

}  // namespace treecca::testing
