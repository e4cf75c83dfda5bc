#include "data/columns.hpp"

#include <gtest/gtest.h>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(SomeColumns, AreInTheOrderGiven) {
  const Matrix<float> x = testing::normal_matrix(5, 4, 1);
  const Matrix<float> some = some_columns(x, std::vector<Index>{3, 0, 3});
  ASSERT_EQ(some.cols(), 3);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_EQ(some(i, 0), x(i, 3));
    EXPECT_EQ(some(i, 1), x(i, 0));
    EXPECT_EQ(some(i, 2), x(i, 3));
  }
}

TEST(SelectedColumns, AllWhereNothingWasScreened) {
  const Matrix<float> x = testing::normal_matrix(5, 3, 1);
  const SelectedColumns seen = selected_columns({{"x", x}, {"y", x}}, FeatureSets(2), 4);
  EXPECT_TRUE(seen.by_fold.empty());
  ASSERT_EQ(seen.of_any_fold.size(), 2U);
  EXPECT_EQ(seen.of_any_fold[1].cols(), 3);
  EXPECT_TRUE(seen.copies.empty());
}

TEST(SelectedColumns, EveryFoldItsOwnColumnsAndTheUnionForAll) {
  const Matrix<float> x = testing::normal_matrix(5, 4, 1);
  const Matrix<float> y = testing::normal_matrix(5, 2, 2);
  const SelectedColumns seen = selected_columns({{"x", x}, {"y", y}}, FeatureSets({{{1, 3}, {0, 3}}, {}}), 2);
  ASSERT_EQ(seen.by_fold.size(), 2U);
  ASSERT_EQ(seen.of_any_fold[0].cols(), 3);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_EQ(seen.by_fold[0][0](i, 0), x(i, 1));
    EXPECT_EQ(seen.by_fold[1][0](i, 0), x(i, 0));
    EXPECT_EQ(seen.by_fold[1][0](i, 1), x(i, 3));
    EXPECT_EQ(seen.of_any_fold[0](i, 1), x(i, 1));
    EXPECT_EQ(seen.by_fold[0][1](i, 1), y(i, 1));  // not screened
  }
}

}  // namespace
}  // namespace treecca
