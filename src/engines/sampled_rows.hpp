// Draws the rows that an encoder learns from in a round, the same for every engine.
#pragma once

#include "engines/engine.hpp"
#include "samples/folds.hpp"
#include "support/random.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

class SampledRows {
 public:
  /// All references must outlive it.
  SampledRows(const Parameters& parameters, const Folds& folds, Index round, const EncoderState& encoder)
      : folds_(folds),
        view_(encoder.view),
        fold_(encoder.fold),
        share_(parameters.subsample.at(encoder.view)),
        key_(parameters.random_state, Draw::rows,
             {static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(encoder.view),
              static_cast<std::uint64_t>(encoder.fold)}) {}

  /// Whether the encoder may learn from a row and the row is drawn.
  bool contains(Index row) const {
    if (!folds_.trains_on(view_, fold_, row)) return false;
    return share_ >= 1 || key_.uniform(static_cast<std::uint64_t>(folds_.samples->number(row))) < share_;
  }

 private:
  const Folds& folds_;
  Index view_;
  int fold_;
  double share_;
  RandomKey key_;
};

}  // namespace treecca
