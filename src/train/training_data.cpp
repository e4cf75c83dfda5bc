#include "train/training_data.hpp"

namespace treecca {

namespace {

std::vector<Index> max_bin_of(const Parameters& parameters, std::size_t n_views) {
  std::vector<Index> max_bin;
  for (std::size_t v = 0; v < n_views; ++v) max_bin.push_back(parameters.max_bin.at(static_cast<Index>(v)));
  return max_bin;
}

}  // namespace

const std::vector<BinnedView>& TrainingData::bins(const Parameters& parameters, Threads threads) {
  std::vector<Index> max_bin = max_bin_of(parameters, views().size());
  const std::lock_guard lock(mutex_);
  const auto known = bins_.find(max_bin);
  if (known != bins_.end()) return known->second;
  std::vector<BinnedView> binned;
  if (original_ != nullptr) {
    const std::vector<BinnedView>& before = original_->bins(parameters, threads);
    for (std::size_t v = 0; v < views().size(); ++v) {
      binned.push_back(orders_[v].empty() ? before[v] : before[v].in_order(orders_[v]));
    }
    return bins_.emplace(std::move(max_bin), std::move(binned)).first->second;
  }
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
  if (original_ != nullptr) {
    Start start = original_->start(view, parameters, threads);
    const std::vector<Index>& order = orders_[static_cast<std::size_t>(view)];
    if (!order.empty()) start.values = in_order(start.values, order);
    return starts_.emplace(key, std::move(start)).first->second;
  }
  return starts_
      .emplace(key, start_values(views()[static_cast<std::size_t>(view)], view, parameters, threads, samples()))
      .first->second;
}

const ScreenBasis& TrainingData::screen_basis(const Parameters& parameters, Threads threads) {
  if (original_ != nullptr) return original_->screen_basis(parameters, threads);  // does not depend on the pairing
  const std::vector<BinnedView>& binned = bins(parameters, threads);
  const ScreenKey key{max_bin_of(parameters, views().size()), parameters.screen.values, parameters.trained_components(),
                      parameters.random_state};
  const std::lock_guard lock(mutex_);
  const auto known = screen_bases_.find(key);
  if (known != screen_bases_.end()) return known->second;
  return screen_bases_
      .emplace(key, treecca::screen_basis(binned, parameters, samples(), parameters.random_state, threads))
      .first->second;
}

}  // namespace treecca
