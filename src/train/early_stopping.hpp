// Early stopping: keeps the best round so far and stops when it was too long ago.
#pragma once

#include <algorithm>
#include <limits>

#include "treecca/matrix.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// Rounds in which the start values still fade are no models of their own.
inline Index first_round_to_keep(const Parameters& parameters) {
  return std::min<Index>(parameters.init_fade, parameters.n_estimators);
}

class EarlyStopping {
 public:
  /// patience 0: never stop early, keep all rounds. Rounds before `first` do not count (start values still fade).
  EarlyStopping(Index patience, Index first) : patience_(patience), first_(first) {}

  /// Takes the score after `rounds` rounds; higher is better. True: stop now.
  bool stop_after(Index rounds, double score) {
    last_ = rounds;
    if (rounds < first_) return false;
    if (score > best_score_) {
      best_score_ = score;
      best_ = rounds;
    }
    return patience_ > 0 && rounds - best_ >= patience_;
  }

  /// How many rounds to keep.
  Index rounds_to_keep() const { return patience_ > 0 && best_ > 0 ? best_ : last_; }

 private:
  Index patience_;
  Index first_;
  Index best_ = 0;
  Index last_ = 0;
  double best_score_ = -std::numeric_limits<double>::infinity();
};

}  // namespace treecca
