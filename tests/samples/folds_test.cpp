#include "samples/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "treecca/error.hpp"

namespace treecca {
namespace {

TEST(Folds, AreBalancedAndCoverEveryRowOnce) {
  const Folds folds = make_folds(103, 5, {}, 3);
  EXPECT_TRUE(folds.held_out);
  EXPECT_EQ(std::set<RowIndex>(folds.order.begin(), folds.order.end()).size(), 103U);
  for (int f = 0; f < 5; ++f) {
    const Index size = folds.begin[f + 1] - folds.begin[f];
    EXPECT_GE(size, 20);
    EXPECT_LE(size, 21);
    for (Index i = folds.begin[f]; i < folds.begin[f + 1]; ++i) EXPECT_EQ(folds.of_row[folds.order[i]], f);
    EXPECT_TRUE(std::is_sorted(folds.order.begin() + folds.begin[f], folds.order.begin() + folds.begin[f + 1]));
  }
}

TEST(Folds, FollowTheSeed) {
  EXPECT_EQ(make_folds(50, 5, {}, 3).of_row, make_folds(50, 5, {}, 3).of_row);
  EXPECT_NE(make_folds(50, 5, {}, 3).of_row, make_folds(50, 5, {}, 4).of_row);
}

TEST(Folds, NeverPartAGroup) {
  std::vector<std::int64_t> groups;
  for (int g = 0; g < 13; ++g) groups.insert(groups.end(), static_cast<std::size_t>(1 + g * 3), 100 - g);
  const Folds folds = make_folds(static_cast<Index>(groups.size()), 4, groups, 0);
  std::map<std::int64_t, int> seen;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(seen.emplace(groups[i], folds.of_row[i]).first->second, folds.of_row[i]);
  }
  for (int f = 0; f < 4; ++f) {
    EXPECT_NEAR(static_cast<double>(folds.begin[f + 1] - folds.begin[f]), static_cast<double>(groups.size()) / 4, 12);
  }
}

TEST(Folds, WithoutCrossFittingThereIsOneThatNobodyIsDenied) {
  const Folds folds = make_folds(12, 0, {}, 0);
  EXPECT_EQ(folds.count, 1);
  EXPECT_FALSE(folds.held_out);
  EXPECT_EQ(folds.begin, (std::vector<Index>{0, 12}));
}

TEST(Folds, TooFewRowsOrGroupsAreAnError) {
  EXPECT_THROW(make_folds(4, 5, {}, 0), DataError);
  try {
    make_folds(6, 3, {1, 1, 1, 2, 2, 2}, 0);
    FAIL();
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("2 groups"), std::string::npos);
  }
}

}  // namespace
}  // namespace treecca
