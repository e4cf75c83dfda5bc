#include "train/training_data.hpp"

namespace treecca {

const std::vector<BinnedView>& TrainingData::bins(const Parameters& parameters, Threads threads) {
  std::vector<Index> max_bin;
  for (Index v = 0; v < static_cast<Index>(views().size()); ++v) max_bin.push_back(parameters.max_bin.at(v));
  const std::lock_guard lock(mutex_);
  const auto known = bins_.find(max_bin);
  if (known != bins_.end()) return known->second;
  std::vector<BinnedView> binned;
  for (std::size_t v = 0; v < views().size(); ++v) {
    binned.emplace_back(views()[v], max_bin[v], threads, samples());
    check_varies(binned.back(), views()[v].name);
  }
  return bins_.emplace(std::move(max_bin), std::move(binned)).first->second;
}

const Start& TrainingData::start(Index view, const Parameters& parameters, Threads threads) {
  const StartKey key{view, parameters.init, parameters.trained_components(), parameters.init_fade > 0,
                     parameters.random_state};
  const std::lock_guard lock(mutex_);
  const auto known = starts_.find(key);
  if (known != starts_.end()) return known->second;
  return starts_
      .emplace(key, start_values(views()[static_cast<std::size_t>(view)], view, parameters, threads, samples()))
      .first->second;
}

}  // namespace treecca
