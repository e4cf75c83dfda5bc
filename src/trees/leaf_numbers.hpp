// The leaf that every row of a binned view reaches in one tree: one byte per row up to 256 leaves, else two.
//
// Computed from the rows' bin codes, so the tree must have been grown on these bins. Immutable: thread-safe for
// reading.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "data/binning.hpp"
#include "treecca/tree.hpp"

namespace treecca {

class LeafNumbers {
 public:
  LeafNumbers() = default;
  LeafNumbers(const Tree& tree, const BinnedView& view);

  /// Number of leaves of the tree.
  Index leaves() const { return leaves_; }

  /// Calls use(numbers), where numbers[i] is the leaf of row i: a pointer to 8-bit or 16-bit integers.
  template <class Use>
  void visit(Use&& use) const {
    if (wide_.empty()) {
      use(narrow_.data());
    } else {
      use(wide_.data());
    }
  }

 private:
  Index leaves_ = 0;
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint16_t> wide_;
};

}  // namespace treecca
