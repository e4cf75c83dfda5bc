#include "report/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace treecca
