// The features that each encoder may use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "treecca/matrix.hpp"
#include "treecca/model.hpp"

namespace treecca {

/// Features of one encoder, ascending.
using FeatureSet = std::vector<std::int32_t>;

/// One set per view and fold. A view without sets uses all its features.
class FeatureSets {
 public:
  /// All features of `n_views` views.
  explicit FeatureSets(Index n_views = 0) : of_view_(static_cast<std::size_t>(n_views)) {}

  /// Per view, one set per fold or none.
  explicit FeatureSets(std::vector<std::vector<FeatureSet>> of_view) : of_view_(std::move(of_view)) {}

  /// The features that screening kept.
  explicit FeatureSets(const std::vector<Screening>& screenings) {
    for (const Screening& screening : screenings) of_view_.push_back(screening.kept);
  }

  /// Null: all features.
  const FeatureSet* of(Index view, int fold) const {
    if (of_view_.empty() || of_view(view).empty()) return nullptr;
    return &of_view(view)[static_cast<std::size_t>(fold)];
  }
  bool all() const {
    return std::all_of(of_view_.begin(), of_view_.end(), [](const auto& sets) { return sets.empty(); });
  }
  /// Per fold; empty: all features.
  const std::vector<FeatureSet>& of_view(Index view) const { return of_view_[static_cast<std::size_t>(view)]; }

 private:
  std::vector<std::vector<FeatureSet>> of_view_;
};

}  // namespace treecca
