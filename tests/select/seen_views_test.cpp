#include "select/seen_views.hpp"

#include <gtest/gtest.h>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(SeenViews, AllWhereNothingWasScreened) {
  const Matrix<float> x = testing::normal_matrix(5, 3, 1);
  const SeenViews seen = seen_views({{"x", x}, {"y", x}}, KeptFeatures(2), 4);
  EXPECT_TRUE(seen.by_fold.empty());
  ASSERT_EQ(seen.by_any.size(), 2U);
  EXPECT_EQ(seen.by_any[1].cols(), 3);
  EXPECT_TRUE(seen.copies.empty());
}

TEST(SeenViews, EveryFoldItsOwnColumnsAndTheUnionForAll) {
  const Matrix<float> x = testing::normal_matrix(5, 4, 1);
  const Matrix<float> y = testing::normal_matrix(5, 2, 2);
  const SeenViews seen = seen_views({{"x", x}, {"y", y}}, {{{1, 3}, {0, 3}}, {}}, 2);
  ASSERT_EQ(seen.by_fold.size(), 2U);
  ASSERT_EQ(seen.by_any[0].cols(), 3);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_EQ(seen.by_fold[0][0](i, 0), x(i, 1));
    EXPECT_EQ(seen.by_fold[1][0](i, 0), x(i, 0));
    EXPECT_EQ(seen.by_fold[1][0](i, 1), x(i, 3));
    EXPECT_EQ(seen.by_any[0](i, 1), x(i, 1));
    EXPECT_EQ(seen.by_fold[0][1](i, 1), y(i, 1));  // not screened
  }
}

}  // namespace
}  // namespace treecca
