#include "trees/level_split.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace treecca {
namespace {

constexpr int kAxisSteps = 20;      // for the principal axis
constexpr int kMostDirections = 8;  // directions tried

/// Levels that go the same way in every split that is tried.
struct LevelEntry {
  std::vector<Index> levels;
  bool missing = false;
  double count = 0;
  std::vector<double> sum;
};

class LevelSearch {
 public:
  LevelSearch(std::vector<LevelEntry> entries, Index width, const SplitInput& input)
      : entries_(std::move(entries)), width_(width), input_(input), total_(static_cast<std::size_t>(width), 0.0) {
    for (const LevelEntry& entry : entries_) {
      n_total_ += entry.count;
      for (Index k = 0; k < width_; ++k) total_[static_cast<std::size_t>(k)] += entry.sum[static_cast<std::size_t>(k)];
    }
  }

  /// The last entry stays on the right, because the two sides are interchangeable.
  void try_all() {
    const std::uint32_t sets = std::uint32_t{1} << (entries_.size() - 1);
    for (std::uint32_t set = 1; set < sets; ++set) {
      Side left(width_);
      for (std::size_t e = 0; e < entries_.size(); ++e) {
        if (((set >> e) & 1U) != 0) left.add(entries_[e]);
      }
      const double score = score_of(left);
      if (score <= best_score_) continue;
      best_score_ = score;
      best_left_.assign(entries_.size(), 0);
      for (std::size_t e = 0; e < entries_.size(); ++e) best_left_[e] = static_cast<char>((set >> e) & 1U);
    }
  }

  void try_directions() {
    std::vector<double> direction = principal_axis();
    for (int turn = 0; turn < kMostDirections; ++turn) {
      if (!try_order(direction) || width_ == 1) return;
      direction = between_sides();
    }
  }

  LevelSplit result() const {
    LevelSplit split;
    if (best_left_.empty()) return split;
    split.score = best_score_;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (best_left_[e] == 0) continue;
      for (const Index level : entries_[e].levels) split.left.insert(static_cast<std::size_t>(level));
      split.missing_left = split.missing_left || entries_[e].missing;
    }
    return split;
  }

 private:
  struct Side {
    explicit Side(Index width) : sum(static_cast<std::size_t>(width), 0.0) {}
    void add(const LevelEntry& entry) {
      count += entry.count;
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += entry.sum[k];
    }
    double count = 0;
    std::vector<double> sum;
  };

  double score_of(const Side& left) const {
    const double n_right = n_total_ - left.count;
    if (left.count < input_.min_child_weight || n_right < input_.min_child_weight) return -1.0;
    double left_squares = 0, right_squares = 0;
    for (std::size_t k = 0; k < total_.size(); ++k) {
      const double right = total_[k] - left.sum[k];
      left_squares += left.sum[k] * left.sum[k];
      right_squares += right * right;
    }
    return left_squares / (left.count + input_.reg_lambda) + right_squares / (n_right + input_.reg_lambda);
  }

  /// Mean gradient of an entry minus the mean gradient of the node.
  double deviation(const LevelEntry& entry, std::size_t k) const {
    return entry.sum[k] / entry.count - total_[k] / n_total_;
  }

  /// The principal axis of the entries' mean gradients, weighted by their counts.
  std::vector<double> principal_axis() const {
    const auto width = static_cast<std::size_t>(width_);
    if (width == 1) return {1.0};
    std::vector<double> axis(width, 0.0);
    double furthest = -1;
    for (const LevelEntry& entry : entries_) {  // begin with the entry of the largest contribution
      double squares = 0;
      for (std::size_t k = 0; k < width; ++k) squares += entry.count * deviation(entry, k) * deviation(entry, k);
      if (squares <= furthest) continue;
      furthest = squares;
      for (std::size_t k = 0; k < width; ++k) axis[k] = deviation(entry, k);
    }
    std::vector<double> next(width);
    for (int step = 0; step < kAxisSteps; ++step) {
      std::fill(next.begin(), next.end(), 0.0);
      for (const LevelEntry& entry : entries_) {
        double along = 0;
        for (std::size_t k = 0; k < width; ++k) along += deviation(entry, k) * axis[k];
        for (std::size_t k = 0; k < width; ++k) next[k] += entry.count * along * deviation(entry, k);
      }
      const double length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      if (!(length > 0)) break;
      for (std::size_t k = 0; k < width; ++k) axis[k] = next[k] / length;
    }
    return axis;
  }

  /// The direction from the mean of the right side of the best split to the mean of its left side.
  std::vector<double> between_sides() const {
    Side left(width_);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      if (best_left_[e] != 0) left.add(entries_[e]);
    }
    std::vector<double> direction(total_.size());
    for (std::size_t k = 0; k < total_.size(); ++k) {
      direction[k] = left.sum[k] / left.count - (total_[k] - left.sum[k]) / (n_total_ - left.count);
    }
    return direction;
  }

  /// Tries the splits along one direction. Returns true if one of them is better than all before.
  bool try_order(const std::vector<double>& direction) {
    std::vector<double> along(entries_.size(), 0.0);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      for (std::size_t k = 0; k < direction.size(); ++k) along[e] += deviation(entries_[e], k) * direction[k];
    }
    std::vector<std::size_t> order(entries_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return along[a] < along[b]; });
    Side left(width_);
    std::size_t best = 0;
    for (std::size_t e = 0; e + 1 < order.size(); ++e) {
      left.add(entries_[order[e]]);
      const double score = score_of(left);
      if (score <= best_score_) continue;
      best_score_ = score;
      best = e + 1;
    }
    if (best == 0) return false;
    best_left_.assign(entries_.size(), 0);
    for (std::size_t e = 0; e < best; ++e) best_left_[order[e]] = 1;
    return true;
  }

  std::vector<LevelEntry> entries_;
  Index width_;
  const SplitInput& input_;
  std::vector<double> total_;
  double n_total_ = 0;
  double best_score_ = -1.0;
  std::vector<char> best_left_;  // per entry
};

void add_level(LevelEntry& entry, const LevelSums& sums, Index at) {
  entry.sum.resize(static_cast<std::size_t>(sums.width), 0.0);
  entry.count += sums.count[static_cast<std::size_t>(at)];
  for (Index k = 0; k < sums.width; ++k) entry.sum[static_cast<std::size_t>(k)] += sums.gradient(at)[k];
}

}  // namespace

LevelSplit best_level_split(const LevelSums& sums, const SplitInput& input, double least) {
  const Index levels = sums.entries() - 1;
  const Index present = std::count_if(sums.count.begin(), sums.count.end() - 1, [](double n) { return n > 0; });
  const bool few = present <= kMostLevelsToTry;
  std::vector<LevelEntry> entries;
  LevelEntry rare;
  for (Index level = 0; level < levels; ++level) {
    const double count = sums.count[static_cast<std::size_t>(level)];
    if (!(count > 0)) continue;
    LevelEntry& entry = few || count >= least ? entries.emplace_back() : rare;
    entry.levels.push_back(level);
    add_level(entry, sums, level);
  }
  if (!rare.levels.empty()) entries.push_back(std::move(rare));
  if (sums.count.back() > 0) {
    entries.emplace_back().missing = true;
    add_level(entries.back(), sums, levels);
  }
  if (entries.size() < 2) return {};
  LevelSearch search(std::move(entries), sums.width, input);
  if (few) {
    search.try_all();
  } else {
    search.try_directions();
  }
  return search.result();
}

}  // namespace treecca
