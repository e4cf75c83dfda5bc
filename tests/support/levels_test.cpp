#include "support/levels.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(Levels, AreInTheOrderOfTheirFirstAppearance) {
  std::vector<std::string> levels{"of another call"};
  EXPECT_EQ(positions_in_levels({"b", "a", "b", ""}, levels), (std::vector<double>{0, 1, 0, 2}));
  EXPECT_EQ(levels, (std::vector<std::string>{"b", "a", ""}));
  EXPECT_TRUE(positions_in_levels({}, levels).empty());
  EXPECT_TRUE(levels.empty());
}

TEST(Levels, NumbersThatStandForClassesHaveNoDecimals) {
  std::vector<std::string> levels;
  EXPECT_EQ(positions_of_numbers({3, -1.5, 3}, levels), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(levels, (std::vector<std::string>{"3", "-1.5"}));
}

}  // namespace
}  // namespace treecca
