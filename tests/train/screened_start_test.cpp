#include "train/screened_start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

using Kept = std::vector<std::vector<std::int32_t>>;

Matrix<float> columns(const Matrix<float>& x, const std::vector<std::int32_t>& wanted) {
  Matrix<float> result(x.rows(), static_cast<Index>(wanted.size()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) result(i, j) = x(i, wanted[static_cast<std::size_t>(j)]);
  }
  return result;
}

void expect_near(const Matrix<float>& a, const Matrix<float>& b) {
  ASSERT_EQ(a.values().size(), b.values().size());
  for (std::size_t i = 0; i < a.values().size(); ++i) ASSERT_NEAR(a.values()[i], b.values()[i], 1e-4);
}

TEST(ScreenedStart, IsThatOfTheFeaturesLeft) {
  const Matrix<float> x = testing::normal_matrix(60, 9, 1);
  const Parameters parameters;
  const Folds whole = make_folds(60, 0, {}, 0);
  const Folds folds = make_folds(60, 3, {}, 0);
  const std::vector<std::int32_t> some{1, 4, 5, 8};
  const Matrix<float> expected = start_values({"x", columns(x, some)}, 0, parameters, 1).values;
  expect_near(screened_start({"x", x}, 0, Kept{some}, whole, parameters, 1).values, expected);
  expect_near(screened_start({"x", x}, 0, Kept(3, some), folds, parameters, 1).values, expected);
  const Matrix<float> of_all = start_values({"x", x}, 0, parameters, 1).values;
  EXPECT_EQ(screened_start({"x", x}, 0, {}, folds, parameters, 1).values, of_all);
}

/// Every row from the features of its fold, in directions that go together.
TEST(ScreenedStart, FoldsMeetEachOther) {
  Matrix<float> x = testing::normal_matrix(90, 8, 2);
  const Matrix<float> latent = testing::normal_matrix(90, 2, 3);
  for (Index i = 0; i < 90; ++i) {
    for (Index j = 0; j < 8; ++j) x(i, j) = 0.1F * x(i, j) + (j % 2 == 0 ? latent(i, 0) : -latent(i, 1));
  }
  const Folds folds = make_folds(90, 2, {}, 0);
  const Kept kept{{0, 1, 2, 3}, {4, 5, 6, 7}};
  const Parameters parameters;
  const Matrix<float> start = screened_start({"x", x}, 0, kept, folds, parameters, 1).values;
  const Matrix<float> first = start_values({"x", columns(x, kept[0])}, 0, parameters, 1).values;
  for (Index i = 0; i < 90; ++i) {
    for (Index c = 0; c < 2; ++c) EXPECT_NEAR(start(i, c), first(i, c), folds.of_row[i] == 0 ? 1e-6 : 0.6);
  }
}

TEST(ScreenedStart, OneThatStaysUsesAllFeatures) {
  const Matrix<float> x = testing::normal_matrix(50, 6, 4);
  Parameters parameters;
  parameters.init_fade = 0;
  const Folds folds = make_folds(50, 2, {}, 0);
  const Start start = screened_start({"x", x}, 0, Kept{{0, 1}, {2, 3}}, folds, parameters, 1);
  EXPECT_EQ(start.map, start_values({"x", x}, 0, parameters, 1).map);
  EXPECT_EQ(start.map.weights.rows(), 6);
}

}  // namespace
}  // namespace treecca
