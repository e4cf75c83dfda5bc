// Computes leaf values of a grown tree for all W components, if its splits were found on a sketch of the gradients.
//
// A leaf has the value -learning_rate * G / (n + lambda), as in grow.hpp. Gradients are rounded to integers whose sums
// are exact in double precision, so the result is the same for any number of threads and for rows distributed in any
// way over processes.
#pragma once

#include <span>
#include <vector>

#include "samples/peers.hpp"
#include "support/threads.hpp"
#include "trees/gradients.hpp"
#include "trees/grow.hpp"

namespace treecca {

/// A workspace: one per thread, made once, reused for every tree; `fit` allocates nothing.
class LeafValues {
 public:
  /// total_rows: in all processes.
  LeafValues(Index width, Index max_leaves, Index total_rows, const Kernels& use = kernels());

  /// Leaves x width, valid until the next call. `n`: training rows of the grown tree, its rows()[0, n). Collective.
  /// Failure: Error when a gradient is not finite.
  std::span<const float> fit(Grower& grown, Index n, const GradientSource& gradients, const GrowSettings& settings,
                             Threads threads, const Peers& peers = {});

 private:
  const Kernels& kernels_;
  double limit_;               // largest integer a gradient may become
  std::vector<double> sums_;   // leaves x width
  std::vector<float> values_;  // leaves x width
};

}  // namespace treecca
