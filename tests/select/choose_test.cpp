#include "select/choose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "helpers/random_data.hpp"
#include "helpers/synthetic_views.hpp"

namespace treecca {
namespace {

std::vector<BinnedView> binned(const std::vector<View>& views) {
  std::vector<BinnedView> result;
  for (const View& view : views) result.emplace_back(view, 255, 1);
  return result;
}

Parameters with_screen(PerView<Index> screen, Index k = 2) {
  Parameters parameters;
  parameters.n_components = k;
  parameters.screen = std::move(screen);
  return parameters;
}

std::vector<Screening> screened(const std::vector<View>& views, const Parameters& parameters, const Folds& folds) {
  return screened_features(binned(views), parameters, folds, {}, 2);
}

TEST(Choose, KeepsAsManyAsAskedForAndTheRightOnes) {
  const auto data = testing::linear_views(300, 60, 80, 3, 0.8, 1);
  const Folds folds = make_folds(300, 5, {}, 0);
  const auto screenings = screened(data.views(), with_screen(std::vector<Index>{5, 7}), folds);
  const std::vector<std::size_t> counts{5, 7};
  for (std::size_t v = 0; v < 2; ++v) {
    ASSERT_EQ(screenings[v].kept.size(), 5U);
    for (const auto& kept : screenings[v].kept) {
      EXPECT_EQ(kept.size(), counts[v]);
      EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
      EXPECT_EQ((std::vector<std::int32_t>(kept.begin(), kept.begin() + 3)), (std::vector<std::int32_t>{0, 1, 2}));
    }
    EXPECT_EQ(screenings[v].scores.score.size(), v == 0 ? 60U : 80U);
    EXPECT_TRUE(screenings[v].scores.p_value.empty());
    for (std::int32_t j = 0; j < 3; ++j) EXPECT_EQ(screenings[v].scores.partner[static_cast<std::size_t>(j)], j);
  }
}

TEST(Choose, NoneAndMoreThanThereAreKeepAll) {
  const auto data = testing::independent_views(50, 6, 1);
  const Folds folds = make_folds(50, 0, {}, 0);
  const auto screenings = screened(data.views(), with_screen(std::vector<Index>{0, 9}), folds);
  EXPECT_TRUE(screenings[0].empty());
  EXPECT_EQ(screenings[1].kept, (std::vector<std::vector<std::int32_t>>{{0, 1, 2, 3, 4, 5}}));
}

/// Fold f must choose the same whatever its own rows hold.
TEST(Choose, AFoldNeverLooksAtItsOwnPairs) {
  auto data = testing::independent_views(200, 100, 3);
  const Folds folds = make_folds(200, 4, {}, 0);
  for (const PerView<Index>& screen : {PerView<Index>(10), PerView<Index>()}) {
    const auto before = screened(data.views(), with_screen(screen), folds);
    for (int f = 0; f < 4; ++f) {
      auto changed = data;  // pairs of fold f: rows of view b change places within the fold
      for (Index i = folds.begin[f]; i < folds.begin[f + 1]; ++i) {
        const Index from = folds.order[static_cast<std::size_t>(i)];
        const Index to = folds.order[static_cast<std::size_t>(i + 1 < folds.begin[f + 1] ? i + 1 : folds.begin[f])];
        for (Index j = 0; j < 100; ++j) changed.b(to, j) = data.b(from, j);
      }
      const auto after = screened(changed.views(), with_screen(screen), folds);
      for (std::size_t v = 0; v < 2; ++v) {
        EXPECT_EQ(before[v].kept[static_cast<std::size_t>(f)], after[v].kept[static_cast<std::size_t>(f)]);
        if (!screen.is_auto()) EXPECT_NE(before[v].kept, after[v].kept);
      }
    }
  }
}

TEST(Choose, AutoKeepsTheFewThatMatter) {
  const auto data = testing::linear_views(300, 400, 500, 4, 0.8, 2);
  const auto screenings = screened(data.views(), with_screen({}, 4), make_folds(300, 5, {}, 0));
  for (const Screening& screening : screenings) {
    for (const auto& kept : screening.kept) {
      EXPECT_LE(kept.size(), 8U);
      EXPECT_EQ((std::vector<std::int32_t>(kept.begin(), kept.begin() + 4)), (std::vector<std::int32_t>{0, 1, 2, 3}));
    }
    for (std::size_t j = 0; j < 4; ++j) EXPECT_DOUBLE_EQ(screening.scores.p_value[j], 1.0 / (1 + kAutoShuffles));
  }
}

TEST(Choose, AutoKeepsMoreThanStandsOutForMoreComponents) {
  const auto data = testing::linear_views(300, 400, 500, 2, 0.8, 2);
  const auto screenings = screened(data.views(), with_screen({}, 6), make_folds(300, 5, {}, 0));
  for (const auto& kept : screenings[0].kept) EXPECT_EQ(kept.size(), static_cast<std::size_t>(least_kept(6)));
}

TEST(Choose, AutoKeepsAllOfNarrowViewsOfNoiseAndOfDenseSignals) {
  const Folds folds = make_folds(200, 5, {}, 0);
  const auto expect_all = [&](const testing::TwoViews& data) {
    const auto screenings = screened(data.views(), with_screen({}), folds);
    for (const Screening& screening : screenings) {
      for (const auto& kept : screening.kept) EXPECT_EQ(kept.size(), screening.kept[0].size());
    }
    EXPECT_EQ(screenings[0].kept[0].size(), static_cast<std::size_t>(data.a.cols()));
    EXPECT_EQ(screenings[1].kept[0].size(), static_cast<std::size_t>(data.b.cols()));
  };
  expect_all(testing::linear_views(200, 30, 30, 2, 0.8, 4));     // narrow
  expect_all(testing::independent_views(200, 150, 5));           // nothing to find
  expect_all(testing::linear_views(200, 150, 150, 90, 0.8, 6));  // more than half of the features matter
}

TEST(Choose, WithoutAnythingToTellAFeatureThatCanBeSplitIsKept) {
  Matrix<float> x(100, 30, 1.0F);
  x(5, 20) = 2;  // all that varies, and too rare to be judged
  const Matrix<float> y = testing::normal_matrix(100, 3, 1);
  const auto screenings = screened({{"x", x}, {"y", y}}, with_screen(2), make_folds(100, 0, {}, 0));
  EXPECT_EQ(screenings[0].kept[0].back(), 20);
}

}  // namespace
}  // namespace treecca
