#include "trees/leaf_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "helpers/random_data.hpp"
#include "trees/grow.hpp"

namespace treecca {
namespace {

/// By the raw values, one row after the other.
std::int32_t leaf_of(const Tree& tree, const float* x) {
  std::int32_t at = 0;
  while (!tree.nodes[at].is_leaf()) {
    const Node& node = tree.nodes[at];
    const float value = x[node.feature];
    const bool left = std::isnan(value) ? node.default_left : value < node.threshold;
    at = left ? node.left : node.right;
  }
  return tree.nodes[at].leaf;
}

TEST(LeafNumbers, AreTheLeavesThatRawValuesReach) {
  for (const Index depth : {Index{0}, Index{3}, Index{12}}) {
    const Matrix<float> x = testing::gridded_matrix(3000, 6, 1, 0.1);
    const Matrix<float> gradient = testing::normal_matrix(3000, 2, 2);
    const BinnedView view(View{"x", x}, 255, 1);
    std::vector<Index> features(6);
    std::iota(features.begin(), features.end(), Index{0});
    const auto grown = make_grower(true, 2, 3000, 6, 6 * 256, 12);
    std::iota(grown->rows().begin(), grown->rows().end(), RowIndex{0});
    grown->grow(view, {&gradient, nullptr, 0, 2}, 2000, features, {depth, 1, 1, 0.1}, 1);  // 1000 rows are new
    const Tree tree = to_tree(*grown, view, -1);
    const LeafNumbers numbers(tree, view);
    EXPECT_EQ(numbers.leaves(), static_cast<Index>(tree.leaf_values.size()) / 2);
    EXPECT_EQ(numbers.leaves() > 256, depth == 12);
    numbers.visit([&](const auto* leaf) {
      EXPECT_EQ(sizeof(*leaf), depth == 12 ? 2U : 1U);
      for (Index i = 0; i < 3000; ++i) ASSERT_EQ(static_cast<std::int32_t>(leaf[i]), leaf_of(tree, x.row(i)));
    });
  }
}

/// One object for trees of any size: narrow and wide numbers take turns.
TEST(LeafNumbers, AreThoseThatWereSet) {
  constexpr Index kRows = 1000;
  LeafNumbers numbers;
  for (const Index leaves : {3, 300, 256, 257, 1}) {
    numbers.prepare(kRows, leaves);
    EXPECT_EQ(numbers.leaves(), leaves);
    for (Index leaf = 0; leaf < leaves; ++leaf) {
      std::vector<RowIndex> rows;
      for (Index i = leaf; i < kRows; i += leaves) rows.push_back(static_cast<RowIndex>(i));
      numbers.set(rows, leaf);
    }
    numbers.visit([&](const auto* leaf) {
      for (Index i = 0; i < kRows; ++i) ASSERT_EQ(Index{leaf[i]}, i % leaves);
    });
  }
}

TEST(LeafNumbers, AddTheirValuesToAllColumnsOrToOne) {
  constexpr Index kRows = 1000, kLeaves = 300;
  for (const Index leaves : {Index{7}, kLeaves}) {
    LeafNumbers numbers;
    numbers.prepare(kRows, leaves);
    for (RowIndex i = 0; i < kRows; ++i) numbers.set({&i, 1}, i % leaves);
    const Matrix<float> values = testing::normal_matrix(kLeaves, 4, 1);
    for (const std::int32_t component : {-1, 0, 3}) {
      Tree tree;
      tree.component = component;
      const Index width = component < 0 ? 4 : 1;
      tree.leaf_values.assign(values.data(), values.data() + leaves * width);
      Matrix<float> got = testing::normal_matrix(kRows, 4, 2), expected = got;
      for (Index i = 10; i < 900; ++i) {
        for (Index k = 0; k < width; ++k) {
          expected(i, component < 0 ? k : component) +=
              tree.leaf_values[static_cast<std::size_t>(i % leaves * width + k)];
        }
      }
      numbers.add_values(tree, 10, 10, got);
      numbers.add_values(tree, 10, 500, got);
      numbers.add_values(tree, 500, 900, got);
      EXPECT_EQ(got, expected);
    }
  }
}

}  // namespace
}  // namespace treecca
