#include "screen/choose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
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
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = k;
  parameters.screen = std::move(screen);
  return parameters;
}

std::vector<Screening> screened(const std::vector<View>& views, const Parameters& parameters, const Folds& folds) {
  const std::vector<BinnedView> bins = binned(views);
  const ScreenBasis basis = screen_basis(bins, parameters, *folds.samples, parameters.random_state, 2);
  return screened_features(bins, basis, parameters, folds, 2);
}

TEST(Choose, KeepsAsManyAsAskedForAndTheRightOnes) {
  const auto data = testing::linear_views(300, 60, 80, 3, 0.8, 1);
  const Folds folds = testing::folds_of(300, 5, 0);
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
  const Folds folds = testing::folds_of(50, 0, 0);
  const auto screenings = screened(data.views(), with_screen(std::vector<Index>{0, 9}), folds);
  EXPECT_TRUE(screenings[0].empty());
  EXPECT_EQ(screenings[1].kept, (std::vector<std::vector<std::int32_t>>{{0, 1, 2, 3, 4, 5}}));
}

/// Fold f must choose the same however its own rows are paired.
TEST(Choose, AFoldNeverLooksAtItsOwnPairs) {
  const auto data = testing::independent_views(200, 100, 3);
  const Folds folds = testing::folds_of(200, 4, 0);
  const auto before = screened(data.views(), with_screen(10), folds);
  for (int f = 0; f < 4; ++f) {
    auto changed = data;  // rows of view b change places within the fold
    for (Index i = folds.begin[f]; i < folds.begin[f + 1]; ++i) {
      const Index from = folds.order[static_cast<std::size_t>(i)];
      const Index to = folds.order[static_cast<std::size_t>(i + 1 < folds.begin[f + 1] ? i + 1 : folds.begin[f])];
      for (Index j = 0; j < 100; ++j) changed.b(to, j) = data.b(from, j);
    }
    const auto after = screened(changed.views(), with_screen(10), folds);
    for (std::size_t v = 0; v < 2; ++v) {
      EXPECT_EQ(before[v].kept[static_cast<std::size_t>(f)], after[v].kept[static_cast<std::size_t>(f)]);
      EXPECT_NE(before[v].kept, after[v].kept);
    }
  }
}

TEST(Choose, AutoNeitherLooksAtThePairsOfTheFold) {
  auto data = testing::independent_views(200, 100, 4);
  const Folds folds = testing::folds_of(200, 4, 0);
  for (Index i = 0; i < 200; ++i) {
    if (folds.of_row[i] == 2) data.b(i, 7) = data.a(i, 3);  // all that is shared, in rows of fold 2 alone
  }
  const auto screenings = screened(data.views(), with_screen({}, 1), folds);
  for (int f = 0; f < 4; ++f) {
    const auto& kept = screenings[0].kept[static_cast<std::size_t>(f)];
    if (f == 2) {
      EXPECT_EQ(kept.size(), 100U);  // nothing to choose by
    } else {
      EXPECT_LT(kept.size(), 10U);
      EXPECT_EQ(std::count(kept.begin(), kept.end(), 3), 1);
    }
  }
}

TEST(Choose, AutoKeepsTheFewThatMatter) {
  const auto data = testing::linear_views(300, 400, 500, 4, 0.8, 2);
  const auto screenings = screened(data.views(), with_screen({}, 4), testing::folds_of(300, 5, 0));
  for (const Screening& screening : screenings) {
    for (const auto& kept : screening.kept) {
      EXPECT_LE(kept.size(), 8U);
      EXPECT_EQ((std::vector<std::int32_t>(kept.begin(), kept.begin() + 4)), (std::vector<std::int32_t>{0, 1, 2, 3}));
    }
    for (std::size_t j = 0; j < 4; ++j) EXPECT_DOUBLE_EQ(screening.scores.p_value[j], 1.0 / (1 + kAutoPermutations));
  }
}

TEST(Choose, AutoKeepsMoreThanStandsOutForMoreComponents) {
  const auto data = testing::linear_views(300, 400, 500, 2, 0.8, 2);
  const auto screenings = screened(data.views(), with_screen({}, 6), testing::folds_of(300, 5, 0));
  for (const Screening& screening : screenings) {
    ASSERT_EQ(screening.kept.size(), 5U);
    for (const auto& kept : screening.kept) {
      EXPECT_EQ(kept.size(), 24U);  // 4 per component
      EXPECT_EQ((std::vector<std::int32_t>(kept.begin(), kept.begin() + 2)), (std::vector<std::int32_t>{0, 1}));
    }
  }
  EXPECT_EQ(least_kept(1), 20);
  EXPECT_EQ(least_kept(5), 20);
  EXPECT_EQ(least_kept(6), 24);
}

TEST(Choose, AutoKeepsAllOfNarrowViewsOfNoiseAndOfDenseSignals) {
  const Folds folds = testing::folds_of(200, 5, 0);
  const auto expect_all = [&](const testing::TwoViews& data) {
    const auto screenings = screened(data.views(), with_screen({}), folds);
    for (const Screening& screening : screenings) {
      ASSERT_EQ(screening.kept.size(), 5U);
      for (const auto& kept : screening.kept) EXPECT_EQ(kept.size(), screening.kept[0].size());
    }
    EXPECT_EQ(screenings[0].kept[0].size(), static_cast<std::size_t>(data.a.cols()));
    EXPECT_EQ(screenings[1].kept[0].size(), static_cast<std::size_t>(data.b.cols()));
  };
  expect_all(testing::linear_views(200, 20, 20, 2, 0.8, 4));  // narrow
  expect_all(testing::independent_views(200, 150, 5));        // nothing to find
  auto spread = testing::independent_views(200, 150, 6);      // every feature knows a little
  const Matrix<float> latent = testing::normal_matrix(200, 1, 7);
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 150; ++j) {
      spread.a(i, j) += 0.6F * latent(i, 0);
      spread.b(i, j) += 0.6F * latent(i, 0);
    }
  }
  const auto scores = screened(spread.views(), with_screen({}), folds)[0].scores;
  EXPECT_LT(*std::min_element(scores.p_value.begin(), scores.p_value.end()), 0.06);  // not for want of significance
  expect_all(spread);
}

TEST(Choose, WithoutAnythingToTellAFeatureThatCanBeSplitIsKept) {
  Matrix<float> x(100, 30, 1.0F);
  x(5, 20) = 2;  // all that varies, and too rare to be judged
  const Matrix<float> y = testing::normal_matrix(100, 3, 1);
  const auto screenings = screened({{"x", x}, {"y", y}}, with_screen(2), testing::folds_of(100, 0, 0));
  EXPECT_EQ(screenings[0].kept[0].back(), 20);
}

}  // namespace
}  // namespace treecca
