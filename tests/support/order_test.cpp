#include "support/order.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(DescendingOrder, PutsTheGreatestFirstAndKeepsEqualsInTheirOrder) {
  EXPECT_EQ(descending_order({2, 5, 2, 9, 5}), (std::vector<Index>{3, 1, 4, 0, 2}));
  EXPECT_EQ(descending_order(std::vector<double>{}), std::vector<Index>{});
  EXPECT_EQ(descending_order(3, [](Index i) { return i; }), (std::vector<Index>{2, 1, 0}));
}

TEST(RandomOrder, IsAPermutationThatTheKeyDecides) {
  const std::vector<Index> order = random_order(1000, RandomKey(1, Draw::permutation));
  std::vector<Index> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Index i = 0; i < 1000; ++i) EXPECT_EQ(sorted[static_cast<std::size_t>(i)], i);
  EXPECT_NE(order, sorted);
  EXPECT_EQ(order, random_order(1000, RandomKey(1, Draw::permutation)));
  EXPECT_NE(order, random_order(1000, RandomKey(2, Draw::permutation)));
  EXPECT_TRUE(random_order(0, RandomKey(1, Draw::permutation)).empty());
}

}  // namespace
}  // namespace treecca
