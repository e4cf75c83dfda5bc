// A p-value by permutations that stops early if it is clearly high (Besag and Clifford 1991, Biometrika 78).
#pragma once

#include "treecca/matrix.hpp"

namespace treecca {

class SequentialPValue {
 public:
  static constexpr Index kEnough = 50;

  /// `observed`: the value of the data; large values are evidence against the null hypothesis.
  explicit SequentialPValue(double observed) : observed_(observed) {}

  void add(double permuted) {
    constexpr double kRounding = 1e-12;  // equal pairings in another order of the sums
    if (decided()) return;
    ++made_;
    if (!(permuted < observed_ - kRounding)) ++reached_;
  }
  /// Whether further permutations cannot change the p-value.
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
