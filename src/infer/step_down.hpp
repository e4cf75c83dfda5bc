// p-values of several correlations together, by permutation and step-down (Westfall and Young 1993).
//
// Families have K components each: the mean over the pairs of views is one family; or every pair of views is one. The
// correlations of the data are tested from the highest to the lowest. Each is compared with the highest correlation of
// a permutation among as many components per family as have not been tested yet. If c components are real, the next is
// the highest of K - c noise components, and it is compared with the highest of K - c permuted components. p-values
// never decrease along the order. So the probability that any noise component is called significant is at most the
// level, whatever the number of real components.
// The remaining components of permuted data are chosen without their correlations: they are the leading components in
// the order given by the rotations of other folds.
#pragma once

#include <vector>

#include "infer/sequential_p_value.hpp"
#include "treecca/matrix.hpp"

namespace treecca {

class StepDown {
 public:
  using Families = std::vector<std::vector<double>>;  // each K correlations

  explicit StepDown(const Families& observed);

  /// Correlations of a permutation, leading components first.
  void add(const Families& permuted);
  /// Whether further permutations cannot change any p-value.
  bool decided() const;
  /// As `observed`.
  Families p_values() const;

  /// Per family and number of leading components n = 1 ... K: the highest correlation among the first n.
  static Families highest_of_leading(const Families& permuted);

 private:
  struct Step {
    std::size_t family = 0, component = 0;
    std::vector<Index> remaining;  // components per family that this component is compared with
    SequentialPValue p;
  };
  std::size_t n_components_;
  std::vector<Step> steps_;  // from the highest correlation to the lowest
};

}  // namespace treecca
