#include "treecca/matrix.hpp"

#include <gtest/gtest.h>

#include <array>

namespace treecca {
namespace {

TEST(MatrixView, HandsOutDoublesAsTheyAreAndRoundsOnRequest) {
  const std::array<double, 2> doubles{1e8 + 1, 0.1};
  const MatrixView view(doubles.data(), 2, 1);
  EXPECT_EQ(view.value(0, 0), 1e8 + 1);
  EXPECT_EQ(view(0, 0), 1e8F);
  EXPECT_NE(static_cast<double>(view(1, 0)), view.value(1, 0));
  const std::array<float, 2> floats{0.1F, 2.0F};
  const MatrixView single(floats.data(), 2, 1);
  EXPECT_EQ(single(0, 0), 0.1F);
  EXPECT_EQ(single.value(0, 0), static_cast<double>(0.1F));
}

TEST(MatrixView, FollowsAnyStrides) {
  const std::array<double, 12> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const MatrixView by_columns(numbers.data(), 4, 3, 1, 4);
  const MatrixView every_other(numbers.data() + 1, 2, 2, 6, 2);
  const MatrixView backwards(numbers.data() + 11, 12, 1, -1, 1);
  EXPECT_EQ(by_columns.value(1, 2), 9);
  EXPECT_EQ(by_columns(3, 0), 3);
  EXPECT_EQ(every_other.value(1, 1), 9);
  EXPECT_EQ(backwards.value(0, 0), 11);
  EXPECT_EQ(backwards.value(11, 0), 0);
}

}  // namespace
}  // namespace treecca
