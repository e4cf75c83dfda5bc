// Early stopping: keeps the best round so far and stops after too many rounds without improvement.
#pragma once

#include <limits>

#include "train/start.hpp"
#include "treecca/matrix.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// The first round without initial values in the embeddings. Earlier rounds cannot be kept, because a model has no
/// fading initial values.
inline Index first_round_to_keep(const Parameters& parameters) { return rounds_of_fade(parameters); }

class EarlyStopping {
 public:
  /// patience 0: never stops early and keeps all rounds. Rounds before `first` do not count.
  EarlyStopping(Index patience, Index first) : patience_(patience), first_(first) {}

  /// Takes the score after `rounds` rounds; higher is better. Returns whether to stop now.
  bool stop_after(Index rounds, double score) {
    last_ = rounds;
    if (rounds < first_) return false;
    if (score > best_score_) {
      best_score_ = score;
      best_ = rounds;
    }
    return patience_ > 0 && rounds - best_ >= patience_;
  }

  /// The number of rounds to keep.
  Index rounds_to_keep() const { return patience_ > 0 && best_ > 0 ? best_ : last_; }

 private:
  Index patience_;
  Index first_;
  Index best_ = 0;
  Index last_ = 0;
  double best_score_ = -std::numeric_limits<double>::infinity();
};

}  // namespace treecca
