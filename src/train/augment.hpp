// Draws augmented copies of a table, for learning without labels.
#pragma once

#include <cstdint>
#include <vector>

#include "support/threads.hpp"
#include "treecca/ssl.hpp"
#include "treecca/view.hpp"

namespace treecca {

/// Draws copies of one table. Every cell is a function of (seed, round, copy, row, feature) only.
class Augmenter {
 public:
  /// `values` (N x p, missing values NaN) must outlive it. Failure: UsageError for settings that are out of range or
  /// have no effect.
  /// levels: of categories, which are only swapped and masked.
  Augmenter(const MatrixView& values, const Augmentation& augmentation, std::uint64_t seed, Threads threads,
            const Levels& levels = {});

  /// out: N x p. A missing value stays missing unless it is swapped. Failure: UsageError if noise makes a value
  /// infinite.
  void draw(Index round, int copy, Matrix<float>& out) const;

 private:
  const MatrixView values_;
  Augmentation augmentation_;
  std::uint64_t seed_;
  Threads threads_;
  std::vector<float> deviation_;  // per feature, of the values present
  std::vector<char> category_;    // per feature
};

}  // namespace treecca
