// A p-value that needs no more permutations than its decision does (Besag and Clifford 1991, Biometrika 78).
#pragma once

#include "treecca/matrix.hpp"

namespace treecca {

class SequentialPValue {
 public:
  static constexpr Index kEnough = 50;

  /// Larger or equal values of permuted data speak against the observed one.
  explicit SequentialPValue(double observed) : observed_(observed) {}

  void add(double permuted) {
    constexpr double kRounding = 1e-12;  // equal pairings in another order of the sums
    if (decided()) return;
    ++made_;
    if (!(permuted < observed_ - kRounding)) ++reached_;
  }
  /// No further permutation changes it.
  bool decided() const { return reached_ == kEnough; }
  double value() const {
    return decided() ? static_cast<double>(reached_) / static_cast<double>(made_)
                     : static_cast<double>(reached_ + 1) / static_cast<double>(made_ + 1);
  }

 private:
  double observed_;
  Index made_ = 0;
  Index reached_ = 0;
};

}  // namespace treecca
