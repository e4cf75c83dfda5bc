// Draws the rows that an encoder learns from in a round, the same for every engine.
#pragma once

#include <cmath>
#include <cstdint>

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
        drawn_below_(static_cast<std::uint64_t>(std::ceil(parameters.subsample.at(encoder.view) * 0x1.0p53))),
        key_(parameters.random_state, Draw::rows,
             {static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(encoder.view),
              static_cast<std::uint64_t>(encoder.fold)}) {}

  /// Whether the encoder may learn from a row and the row is drawn.
  bool contains(Index row) const {
    if (!folds_.trains_on(view_, fold_, row)) return false;
    return drawn_below_ >= (std::uint64_t{1} << 53) ||
           key_.bits(static_cast<std::uint64_t>(folds_.samples->number(row))) >> 11 < drawn_below_;
  }

 private:
  const Folds& folds_;
  Index view_;
  int fold_;
  std::uint64_t drawn_below_;  // in the units of 53 random bits
  RandomKey key_;
};

}  // namespace treecca
