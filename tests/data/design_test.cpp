#include "data/design.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/random_data.hpp"
#include "linear/linear_map.hpp"

namespace treecca {
namespace {

std::vector<std::string> names(Index count) {
  std::vector<std::string> result;
  for (Index i = 0; i < count; ++i) result.push_back("l" + std::to_string(i));
  return result;
}

/// A number, a category of 3 levels, one of 21.
struct Example {
  Matrix<float> values = testing::normal_matrix(50, 3, 1);
  Levels levels{{}, names(3), names(21)};

  Example() {
    for (Index i = 0; i < 50; ++i) {
      values(i, 1) = static_cast<float>(i % 3);
      values(i, 2) = static_cast<float>(i % 21);
    }
    values(7, 1) = values(8, 0) = std::nanf("");
  }
  View view() const { return {"x", values, {"n", "a", "b"}, levels}; }
};

TEST(Design, OfNumbersIsTheViewItself) {
  const Matrix<float> x = testing::normal_matrix(5, 2, 1);
  const Design design({"x", x});
  EXPECT_EQ(design.values().cols(), 2);
  const LinearMap map{{1, 2}, Matrix<double>(2, 3, 0.5)};
  EXPECT_EQ(design.map_of_features(map), map);
}

TEST(Design, HasAnIndicatorPerLevelOfSmallCategories) {
  const Example example;
  const Design design(example.view());
  EXPECT_EQ(features_without_indicators(example.levels), (std::vector<Index>{2}));
  ASSERT_EQ(design.values().cols(), 4);
  for (Index i = 0; i < 50; ++i) {
    for (Index level = 0; level < 3; ++level) {
      const float indicator = design.values()(i, 1 + level);
      EXPECT_EQ(std::isnan(indicator), i == 7);
      if (i != 7) {
        EXPECT_EQ(indicator, i % 3 == level ? 1 : 0);
      }
    }
  }
}

TEST(Design, KeepsLargeCategoriesWhereThereIsNothingElse) {
  EXPECT_TRUE(features_without_indicators({names(30), names(40)}).empty());
  EXPECT_EQ(features_without_indicators({names(30), names(20)}), (std::vector<Index>{0}));
}

TEST(Design, MapsOfFeaturesGiveTheScoresOfTheColumns) {
  const Example example;
  const Design design(example.view());
  LinearMap of_columns{{0.5, 0.25, 0.75, 0.125}, Matrix<double>(4, 2)};
  for (std::size_t i = 0; i < 8; ++i) of_columns.weights.values()[i] = static_cast<double>(i) - 3.5;
  const LinearMap of_features = design.map_of_features(of_columns);
  const Matrix<double> expected = linear_scores(of_columns, design.values(), 1);
  const Matrix<double> found = linear_scores(of_features, example.values, 2);
  for (std::size_t i = 0; i < expected.values().size(); ++i) {
    EXPECT_NEAR(found.values()[i], expected.values()[i], 1e-12);
  }
  EXPECT_EQ(of_features.level_begin, (std::vector<std::int32_t>{3, 3, 6, 27}));
  EXPECT_EQ(of_features.weights.rows(), 27);
}

}  // namespace
}  // namespace treecca
