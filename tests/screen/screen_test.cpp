#include "treecca/screen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "helpers/synthetic_views.hpp"
#include "support/order.hpp"
#include "treecca/error.hpp"
#include "treecca/fit.hpp"

namespace treecca {
namespace {

TEST(Screen, FindsRelationsOfAnyShape) {
  const auto data = testing::hermite_views(300, 2, 40, 1);
  const auto scores = screen(data.views());
  for (const FeatureScores& view : scores) {
    ASSERT_EQ(view.score.size(), 42U);
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_DOUBLE_EQ(view.p_value[j], 0.01);
      EXPECT_EQ(view.partner[j], static_cast<std::int32_t>(j));
    }
  }
  EXPECT_EQ(scores[0].partner_view[0], 1);
  EXPECT_EQ(scores[1].partner_view[0], 0);
}

/// Under independence the least p-value of all features is at most alpha in about a share alpha of the data sets.
TEST(Screen, PValuesHoldForTheBestOfAllFeatures) {
  constexpr int kSets = 200;
  int below = 0;
  for (unsigned seed = 0; seed < kSets; ++seed) {
    const auto data = testing::independent_views(40, 8, seed + 1);
    ScreenOptions options;
    options.n_permutations = 9;
    options.random_state = seed;
    options.n_jobs = 1;
    double least = 1;
    for (const FeatureScores& view : screen(data.views(), options)) {
      least = std::min(least, *std::min_element(view.p_value.begin(), view.p_value.end()));
    }
    below += least <= 0.2 + 1e-9 ? 1 : 0;
  }
  const double expected = 0.2 * kSets;
  EXPECT_NEAR(below, expected, 4 * std::sqrt(expected * 0.8));
}

TEST(Screen, RefusesWhatItCannotUse) {
  const auto data = testing::independent_views(30, 3, 1);
  ScreenOptions options;
  options.n_permutations = -1;
  EXPECT_THROW(screen(data.views(), options), UsageError);
  options.n_permutations = 0;
  options.sample_weight = {1, 2, 3};
  EXPECT_THROW(screen(data.views(), options), DataError);
  options.sample_weight.clear();
  EXPECT_THROW(screen({data.views()[0]}, options), DataError);
  EXPECT_TRUE(screen(data.views(), options)[0].p_value.empty());
  const std::atomic<bool> stop{true};
  options.stop = &stop;
  EXPECT_THROW(screen(data.views(), options), Interrupted);
}

Parameters screened_fit(PerView<Index> screen, Index k, Index rounds) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = k;
  parameters.n_estimators = rounds;
  parameters.screen = std::move(screen);
  return parameters;
}

Matrix<float> best_columns(const Matrix<float>& x, const std::vector<double>& score, Index count) {
  Matrix<float> best(x.rows(), count);
  const std::vector<Index> order = descending_order(score);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < count; ++j) best(i, j) = x(i, order[static_cast<std::size_t>(j)]);
  }
  return best;
}

/// Mean correlation out of fold over independent views, for features that are chosen by all rows before the fit and for
/// features that each fold of the fit chooses without its own rows.
struct NoiseFound {
  double beforehand = 0;
  double inside = 0;

  NoiseFound(Index n, Index p, Index kept, Index k, unsigned seeds) {
    for (unsigned seed = 0; seed < seeds; ++seed) {
      const auto data = testing::independent_views(n, p, 11 + seed);
      ScreenOptions no_shuffles;
      no_shuffles.n_permutations = 0;
      const auto scores = screen(data.views(), no_shuffles);
      const testing::TwoViews chosen{best_columns(data.a, scores[0].score, kept),
                                     best_columns(data.b, scores[1].score, kept)};
      const FitResult without = fit(chosen.views(), screened_fit(0, k, 60));
      const FitResult with = fit(data.views(), screened_fit(kept, k, 60));
      for (std::size_t c = 0; c < static_cast<std::size_t>(k); ++c) {
        beforehand += without.model.correlations.out_of_fold[c] / static_cast<double>(k * seeds);
        inside += with.model.correlations.out_of_fold[c] / static_cast<double>(k * seeds);
      }
    }
  }
};

/// Far more features than rows: features chosen by the rows they are judged on make correlations out of noise.
TEST(Screen, CorrelationsOfScreenedNoiseStayAroundZero) {
  const NoiseFound few(60, 1500, 2, 1, 10);
  EXPECT_GT(few.beforehand, 0.12);
  EXPECT_LT(few.inside, 0.1);  // standard error: 0.045
  const NoiseFound many(120, 600, 20, 2, 8);
  EXPECT_LT(std::abs(many.inside), 0.06);  // standard error: 0.023
}

TEST(Screen, AFitUsesOnlyWhatWasKept) {
  const auto data = testing::linear_views(200, 300, 200, 2, 0.8, 5);
  for (const Index folds : {0, 4}) {
    for (const Trees trees : {Trees::joint, Trees::scalar}) {
      Parameters parameters = screened_fit(std::vector<Index>{6, 0}, 2, 20);
      parameters.cross_fit = folds;
      parameters.trees = trees;
      const Model model = fit(data.views(), parameters).model;
      check_model(model);  // trees against what was kept
      EXPECT_TRUE(model.views[1].screening.empty());
      ASSERT_EQ(model.views[0].screening.kept.size(), static_cast<std::size_t>(std::max<Index>(1, folds)));
      std::set<std::int32_t> used;
      for (const Tree& tree : model.views[0].parts[0].encoders[0]) {
        for (const Node& node : tree.nodes) used.insert(node.feature);
      }
      EXPECT_LE(used.size(), 7U);                                      // and -1 for leaves
      EXPECT_DOUBLE_EQ(model.parameters.colsample_bytree.at(0), 0.8);  // of the six that are left
      EXPECT_DOUBLE_EQ(model.parameters.colsample_bytree.at(1), 0.5);
      EXPECT_EQ(screening_summary(model).size(), 1U);
      EXPECT_EQ(screening_summary(model)[0].substr(0, 23), "a: 6 of 300 features; h");
    }
  }
}

TEST(Screen, SparseSignalsAmongManyFeaturesAreFoundWithAuto) {
  const auto data = testing::linear_views(200, 500, 500, 2, 0.9, 8);
  const FitResult with = fit(data.views(), screened_fit({}, 2, 60));
  const FitResult without = fit(data.views(), screened_fit(0, 2, 60));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_GT(with.model.correlations.out_of_fold[k], 0.7);
    EXPECT_GT(with.model.correlations.out_of_fold[k], without.model.correlations.out_of_fold[k]);
  }
  EXPECT_TRUE(with.model.parameters.screen.is_auto());
  EXPECT_EQ(parse_model(serialize_model(with.model, ModelFormat::ubjson)), with.model);
  EXPECT_EQ(parse_model(serialize_model(with.model, ModelFormat::json)), with.model);
}

TEST(Screen, SaysWhenNothingWasFound) {
  const FitResult result = fit(testing::independent_views(60, 50, 3).views(), screened_fit({}, 1, 5));
  const auto says = [&](const std::string& text) {
    return std::any_of(result.warnings.begin(), result.warnings.end(),
                       [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(says("Screening kept all features of view \"a\""));
  EXPECT_EQ(screening_summary(result.model)[0].substr(0, 41), "a: all 50 features: none is significant; ");
}

TEST(Screen, WeightsAndGroupsAreHeeded) {
  auto data = testing::linear_views(200, 80, 80, 1, 0.9, 3);
  FitOptions options;
  for (Index i = 0; i < 200; ++i) {
    options.groups.push_back(i / 4);
    options.sample_weight.push_back(i < 100 ? 1 : 0);
    if (i >= 100) data.b(i, 0) = data.a(i, 5);  // a relation of rows that count nothing
  }
  const Model model = fit(data.views(), screened_fit(1, 1, 10), options).model;
  for (const ViewModel& view : model.views) {
    EXPECT_EQ(view.screening.kept, (std::vector<std::vector<std::int32_t>>(view.parts[0].encoders.size(), {0})));
  }
}

}  // namespace
}  // namespace treecca
