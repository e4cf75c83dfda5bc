#include "explain/used_features.hpp"

#include <gtest/gtest.h>

#include <set>

#include "helpers/random_data.hpp"
#include "helpers/random_model.hpp"
#include "treecca/transform.hpp"

namespace treecca {
namespace {

using testing_helpers::ModelShape;
using testing_helpers::random_model;

TEST(TestedFeatures, AreThoseOfAllTrees) {
  ModelShape shape;
  shape.features = {12, 5};
  const Model model = random_model(4, shape);
  const ViewModel& view = model.views[0];
  std::set<Index> expected;
  for (const Encoder& encoder : view.parts[0].encoders) {
    for (const Tree& tree : encoder) {
      for (const Node& node : tree.nodes) {
        if (!node.is_leaf()) expected.insert(node.feature);
      }
    }
  }
  const TestedFeatures tested(view);
  EXPECT_EQ(tested.features, std::vector<Index>(expected.begin(), expected.end()));
  for (Index j = 0; j < 12; ++j) {
    const std::int32_t place = tested.places[static_cast<std::size_t>(j)];
    EXPECT_EQ(place != kUnused, expected.contains(j));
    if (place == kUnused) continue;
    EXPECT_EQ(tested.features[static_cast<std::size_t>(place)], j);
  }
}

/// Without trees the variates are the linear parts and a constant.
TEST(LinearParts, AddUpToTheVariates) {
  ModelShape shape;
  shape.base_margin = true;
  Model model = random_model(6, shape);
  for (Encoder& encoder : model.views[0].parts[0].encoders) encoder.clear();
  const Matrix<float> rows = testing::normal_matrix(2, 3, 1);
  const Matrix<float> variates = transform(model, 0, rows);
  const std::vector<LinearMap> maps = linear_parts(model.views[0], 2);
  ASSERT_EQ(maps.size(), 1U);
  for (Index k = 0; k < 2; ++k) {
    double difference = 0;
    for (Index j = 0; j < 3; ++j) difference += (rows(0, j) - rows(1, j)) * maps[0].weights(j, k);
    EXPECT_NEAR(variates(0, k) - variates(1, k), difference, 1e-5);
  }
}

}  // namespace
}  // namespace treecca
