#include "support/order.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(DescendingOrder, PutsTheGreatestFirstAndKeepsEqualsInTheirOrder) {
  EXPECT_EQ(descending_order({2, 5, 2, 9, 5}), (std::vector<Index>{3, 1, 4, 0, 2}));
  EXPECT_EQ(descending_order(std::vector<double>{}), std::vector<Index>{});
  EXPECT_EQ(descending_order(3, [](Index i) { return i; }), (std::vector<Index>{2, 1, 0}));
}

}  // namespace
}  // namespace treecca
