#include "data/feature_sets.hpp"

#include <gtest/gtest.h>

namespace treecca {
namespace {

TEST(FeatureSets, WithoutSetsAllFeaturesAreUsed) {
  const FeatureSets none;
  EXPECT_TRUE(none.all());
  EXPECT_EQ(none.of(1, 4), nullptr);
  const FeatureSets two_views(2);
  EXPECT_TRUE(two_views.all());
  EXPECT_EQ(two_views.of(1, 4), nullptr);
  EXPECT_TRUE(two_views.of_view(1).empty());
}

TEST(FeatureSets, EveryViewAndFoldHasItsOwn) {
  const FeatureSets sets({{}, {{0, 2}, {1}, {0, 1, 2}}});
  EXPECT_FALSE(sets.all());
  EXPECT_EQ(sets.of(0, 1), nullptr);
  ASSERT_NE(sets.of(1, 1), nullptr);
  EXPECT_EQ(*sets.of(1, 0), (FeatureSet{0, 2}));
  EXPECT_EQ(*sets.of(1, 1), (FeatureSet{1}));
  EXPECT_EQ(sets.of_view(1).size(), 3U);
}

TEST(FeatureSets, FollowScreening) {
  std::vector<Screening> screenings(2);
  EXPECT_TRUE(FeatureSets(screenings).all());
  screenings[1].kept = {{3}, {4, 5}};
  const FeatureSets sets(screenings);
  EXPECT_FALSE(sets.all());
  EXPECT_EQ(sets.of(0, 0), nullptr);
  EXPECT_EQ(*sets.of(1, 1), (FeatureSet{4, 5}));
}

}  // namespace
}  // namespace treecca
