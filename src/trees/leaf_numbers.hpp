// The leaf that every row of a binned view reaches in one tree: one byte per row up to 256 leaves, else two.
//
// Computed from the rows' bin codes, so the tree must have been grown on these bins; or noted down while it is grown.
// Thread-safe for reading.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/binning.hpp"
#include "samples/row_index.hpp"
#include "treecca/matrix.hpp"
#include "treecca/tree.hpp"

namespace treecca {

class LeafNumbers {
 public:
  LeafNumbers() = default;
  LeafNumbers(const Tree& tree, const BinnedView& view);

  /// Makes space for the rows of a tree with this many leaves, up to 65,536: every row must then be set. Allocates only
  /// if there is more to hold than ever before.
  void prepare(Index rows, Index leaves);
  void set(std::span<const RowIndex> rows, Index leaf);

  /// Number of leaves of the tree.
  Index leaves() const { return leaves_; }

  /// Calls use(numbers), where numbers[i] is the leaf of row i: a pointer to 8-bit or 16-bit integers.
  template <class Use>
  void visit(Use&& use) const {
    if (leaves_ <= kNarrow) {
      use(narrow_.data());
    } else {
      use(wide_.data());
    }
  }

  /// Adds each row's leaf value to embedding rows [begin, end) (N x W): to all columns, or to the tree's component.
  void add_values(const Tree& tree, Index begin, Index end, Matrix<float>& embedding) const;

 private:
  static constexpr Index kNarrow = 256;  // leaves

  Index leaves_ = 0;
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint16_t> wide_;
};

}  // namespace treecca
