#include "report/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "helpers/random_model.hpp"

namespace treecca {
namespace {

TEST(RankedFeatures, AreAllFeaturesInDescendingOrderOfTheirShares) {
  testing_helpers::ModelShape shape;
  shape.features = {8, 2};
  const Model model = testing_helpers::random_model(3, shape);
  const std::vector<double> shares = feature_importances(model, 0, ImportanceKind::gain);
  const std::vector<FeatureShare> ranked = ranked_features(model, 0, ImportanceKind::gain);
  ASSERT_EQ(ranked.size(), 8U);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    EXPECT_EQ(ranked[i].share, shares[static_cast<std::size_t>(ranked[i].feature)]);
    if (i == 0) continue;
    EXPECT_GE(ranked[i - 1].share, ranked[i].share);
    if (ranked[i - 1].share == ranked[i].share) {
      EXPECT_LT(ranked[i - 1].feature, ranked[i].feature);
    }
  }
  const Matrix<double> of_components = component_importances(model, 0, ImportanceKind::cover);
  const FeatureShare first = ranked_features(model, 0, ImportanceKind::cover, 1).front();
  EXPECT_EQ(first.share, *std::max_element(of_components.row(1), of_components.row(1) + 8));
}

TEST(RankedContributions, AreMeansOfAbsoluteShapValuesWithTheirDirection) {
  Matrix<double> values(4, 3);
  ShapValues shap{std::vector<double>(4 * 3 * 2, 0.0), {0, 0}};
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 3; ++j) values(i, j) = static_cast<double>(i);
    shap.values[static_cast<std::size_t>((i * 3 + 0) * 2 + 1)] = static_cast<double>(i) - 1.5;        // mean 1, rising
    shap.values[static_cast<std::size_t>((i * 3 + 2) * 2 + 1)] = 2 * (1.5 - static_cast<double>(i));  // mean 2, falling
    shap.values[static_cast<std::size_t>((i * 3 + 1) * 2)] = 7;                                       // the other one
  }
  const std::vector<FeatureContribution> found = ranked_contributions(values, shap, 1);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].feature, 2);
  EXPECT_DOUBLE_EQ(found[0].mean_abs, 2);
  EXPECT_DOUBLE_EQ(found[0].correlation, -1);
  EXPECT_EQ(found[1].feature, 0);
  EXPECT_DOUBLE_EQ(found[1].mean_abs, 1);
  EXPECT_DOUBLE_EQ(found[1].correlation, 1);
  const std::vector<FeatureContribution> constant = ranked_contributions(values, shap, 0);
  ASSERT_EQ(constant.size(), 1U);
  EXPECT_DOUBLE_EQ(constant[0].mean_abs, 7);
  EXPECT_TRUE(std::isnan(constant[0].correlation));
}

TEST(RankedContributions, LeaveOutSamplesThatLackTheView) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  Matrix<double> values(3, 2);
  values.values() = {1, 3, kMissing, kMissing, 2, 5};
  const ShapValues shap{{0.5, 4, kMissing, kMissing, 1.5, 2}, {0}};
  EXPECT_EQ(explained_rows(values, shap), 2);
  const std::vector<FeatureContribution> found = ranked_contributions(values, shap, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_DOUBLE_EQ(found[0].mean_abs, 3);
  EXPECT_DOUBLE_EQ(found[1].mean_abs, 1);
  const ShapValues none{std::vector<double>(6, kMissing), {0}};
  EXPECT_TRUE(ranked_contributions(values, none, 0).empty());
}

TEST(RankedContributions, LeaveOutMissingValues) {
  Matrix<double> values(3, 1);
  values.values() = {1, std::numeric_limits<double>::quiet_NaN(), 2};
  const ShapValues shap{{0.5, -100, 1}, {0}};
  const std::vector<FeatureContribution> found = ranked_contributions(values, shap, 0);
  EXPECT_DOUBLE_EQ(found[0].correlation, 1);
  EXPECT_DOUBLE_EQ(found[0].mean_abs, 101.5 / 3);
  EXPECT_TRUE(ranked_contributions(Matrix<double>(0, 1), {{}, {0}}, 0).empty());
}

}  // namespace
}  // namespace treecca
