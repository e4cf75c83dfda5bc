#include "trees/leaf_numbers.hpp"

#include <algorithm>
#include <numeric>

namespace treecca {
namespace {

/// Partitions the rows node by node, as in growing a tree: every column is read in the order of the rows.
template <class Number>
std::vector<Number> walked(const Tree& tree, const BinnedView& view) {
  struct Range {
    Index begin;
    Index end;
  };
  std::vector<Number> numbers(static_cast<std::size_t>(view.rows()));
  std::vector<RowIndex> rows(numbers.size());
  std::vector<RowIndex> right_rows(numbers.size());
  std::iota(rows.begin(), rows.end(), RowIndex{0});
  std::vector<Range> range_of(tree.nodes.size());
  range_of[0] = {0, view.rows()};
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {  // children come after their parent
    const Node& node = tree.nodes[n];
    const Range range = range_of[n];
    if (node.is_leaf()) {
      for (Index i = range.begin; i < range.end; ++i) numbers[rows[i]] = static_cast<Number>(node.leaf);
      continue;
    }
    const std::uint8_t* column = view.column(node.feature);
    const int missing = view.missing_code(node.feature);
    Index left = range.begin;
    Index right = 0;
    const auto part = [&](auto&& goes_left) {
      for (Index i = range.begin; i < range.end; ++i) {
        const RowIndex row = rows[i];
        const bool to_left = goes_left(int{column[row]});
        rows[left] = row;
        right_rows[right] = row;
        left += to_left ? 1 : 0;
        right += to_left ? 0 : 1;
      }
    };
    if (node.level_set >= 0) {
      const LevelSet& levels = tree.level_sets[static_cast<std::size_t>(node.level_set)];
      part([&](int code) {
        return code == missing ? node.default_left : levels.contains(static_cast<std::size_t>(code));
      });
    } else {
      const int bin = view.bin_of_threshold(node.feature, node.threshold);
      part([&](int code) { return code == missing ? node.default_left : code <= bin; });
    }
    std::copy_n(right_rows.begin(), right, rows.begin() + left);
    range_of[static_cast<std::size_t>(node.left)] = {range.begin, left};
    range_of[static_cast<std::size_t>(node.right)] = {left, range.end};
  }
  return numbers;
}

}  // namespace

LeafNumbers::LeafNumbers(const Tree& tree, const BinnedView& view)
    : leaves_(static_cast<Index>(tree.nodes.size() + 1) / 2) {
  if (leaves_ <= kNarrow) {
    narrow_ = walked<std::uint8_t>(tree, view);
  } else {
    wide_ = walked<std::uint16_t>(tree, view);  // max_depth <= 16: at most 65,536 leaves
  }
}

void LeafNumbers::prepare(Index rows, Index leaves) {
  leaves_ = leaves;
  if (leaves_ <= kNarrow) {
    narrow_.resize(static_cast<std::size_t>(rows));
  } else {
    wide_.resize(static_cast<std::size_t>(rows));
  }
}

void LeafNumbers::set(std::span<const RowIndex> rows, Index leaf) {
  if (leaves_ <= kNarrow) {
    for (const RowIndex row : rows) narrow_[row] = static_cast<std::uint8_t>(leaf);
  } else {
    for (const RowIndex row : rows) wide_[row] = static_cast<std::uint16_t>(leaf);
  }
}

void LeafNumbers::add_values(const Tree& tree, Index begin, Index end, Matrix<float>& embedding) const {
  const Index columns = embedding.cols();
  const float* values = tree.leaf_values.data();
  visit([&](const auto* leaf) {
    if (tree.component >= 0) {
      float* out = embedding.row(begin) + tree.component;
      for (Index i = begin; i < end; ++i, out += columns) *out += values[leaf[i]];
      return;
    }
    for (Index i = begin; i < end; ++i) {
      const float* value = values + Index{leaf[i]} * columns;
      float* out = embedding.row(i);
      for (Index k = 0; k < columns; ++k) out[k] += value[k];
    }
  });
}

}  // namespace treecca
