#include "train/start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "helpers/folds.hpp"
#include "helpers/plain_parameters.hpp"
#include "helpers/random_data.hpp"
#include "linear/linear_map.hpp"

namespace treecca {
namespace {

Start start_values(const View& view, Index view_number, const Parameters& parameters, Threads threads) {
  return start_values(view, view_number, parameters, threads, Samples(view.values.rows()));
}

double dot(const Matrix<float>& z, Index a, Index b) {
  double sum = 0;
  for (Index i = 0; i < z.rows(); ++i) sum += static_cast<double>(z(i, a)) * z(i, b);
  return sum;
}

Parameters kept(Init init, Index k) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = k;
  parameters.init = init;
  parameters.init_fade = 0;
  return parameters;
}

TEST(Start, KeptPcaHasUnitNormColumnsAndItsMapGivesTheSameForNewRows) {
  const Matrix<float> x = testing::normal_matrix(200, 6, 1);
  for (const Init init : {Init::pca, Init::pca_scaled, Init::random_orthogonal, Init::random}) {
    const Start start = start_values(View{"x", x}, 0, kept(init, 3), 1);
    const Matrix<double> again = linear_scores(start.map, x, 1);
    for (Index i = 0; i < 200; ++i) {
      for (Index k = 0; k < 3; ++k) ASSERT_NEAR(again(i, k), start.values(i, k), 1e-5);
    }
  }
  const Start pca = start_values(View{"x", x}, 0, kept(Init::pca, 3), 1);
  const Start scaled = start_values(View{"x", x}, 0, kept(Init::pca_scaled, 3), 1);
  const Start orthogonal = start_values(View{"x", x}, 0, kept(Init::random_orthogonal, 3), 1);
  for (Index a = 0; a < 3; ++a) {
    for (Index b = 0; b < 3; ++b) {
      EXPECT_NEAR(dot(pca.values, a, b), a == b ? 1 : 0, 1e-5);
      EXPECT_NEAR(dot(scaled.values, a, b), a == b ? 199 : 0, 1e-2);
      EXPECT_NEAR(dot(orthogonal.values, a, b), a == b ? 1 : 0, 1e-5);
    }
  }
}

TEST(Start, AFadingOneHasUnitVarianceAndFillsComponentsBeyondTheFeatures) {
  const Matrix<float> x = testing::normal_matrix(300, 2, 1);
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = 5;
  const Start start = start_values(View{"x", x}, 0, parameters, 1);
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(dot(start.values, k, k), 299, 0.1);
  for (Index k = 2; k < 5; ++k) EXPECT_LT(std::abs(dot(start.values, 0, k)) / 299, 0.5);  // no copies
}

TEST(Start, FadesLinearlyAndIsGoneHalfWay) {
  Parameters parameters = testing::plain_parameters();
  parameters.init_fade = 20;
  parameters.n_estimators = 100;
  EXPECT_DOUBLE_EQ(start_weight(parameters, 0), 1);
  EXPECT_DOUBLE_EQ(start_weight(parameters, 5), 0.75);
  EXPECT_DOUBLE_EQ(start_weight(parameters, 20), 0);
  parameters.n_estimators = 10;  // too few for twenty rounds of fading: five have to do
  EXPECT_DOUBLE_EQ(start_weight(parameters, 4), 0.2);
  EXPECT_DOUBLE_EQ(start_weight(parameters, 5), 0);
  parameters.init_fade = 0;
  EXPECT_DOUBLE_EQ(start_weight(parameters, 0), 0);
}

TEST(Start, ZeroIsZero) {
  const Matrix<float> x = testing::normal_matrix(30, 2, 1);
  Parameters parameters = testing::plain_parameters();
  parameters.init = Init::zero;
  const Start start = start_values(View{"x", x}, 0, parameters, 1);
  EXPECT_EQ(start.values, Matrix<float>(30, 2));
}

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
  const Parameters parameters = testing::plain_parameters();
  const Folds whole = testing::folds_of(60, 0, 0);
  const Folds folds = testing::folds_of(60, 3, 0);
  const std::vector<std::int32_t> some{1, 4, 5, 8};
  const Matrix<float> expected = start_values({"x", columns(x, some)}, 0, parameters, 1).values;
  expect_near(screened_start_values({"x", x}, 0, Kept{some}, whole, parameters, 1).values, expected);
  expect_near(screened_start_values({"x", x}, 0, Kept(3, some), folds, parameters, 1).values, expected);
}

/// Every row from the features of its fold, in directions that go together.
TEST(ScreenedStart, FoldsAreAligned) {
  Matrix<float> x = testing::normal_matrix(90, 8, 2);
  const Matrix<float> latent = testing::normal_matrix(90, 2, 3);
  for (Index i = 0; i < 90; ++i) {
    for (Index j = 0; j < 8; ++j) {
      x(i, j) = 0.1F * x(i, j) + (j % 2 == 0 ? latent(i, 0) : -latent(i, 1));
      if (j >= 4) x(i, j) *= -1;  // the principal components of the second set have the opposite signs
    }
  }
  const Folds folds = testing::folds_of(90, 2, 0);
  const Kept kept{{0, 1, 2, 3}, {4, 5, 6, 7}};
  const Parameters parameters = testing::plain_parameters();
  const Matrix<float> start = screened_start_values({"x", x}, 0, kept, folds, parameters, 1).values;
  const Matrix<float> first = start_values({"x", columns(x, kept[0])}, 0, parameters, 1).values;
  const Matrix<float> second = start_values({"x", columns(x, kept[1])}, 0, parameters, 1).values;
  double before = 0;
  for (Index i = 0; i < 90; ++i) before = std::max<double>(before, std::fabs(first(i, 0) - second(i, 0)));
  ASSERT_GT(before, 2);
  for (Index i = 0; i < 90; ++i) {
    for (Index c = 0; c < 2; ++c) EXPECT_NEAR(start(i, c), first(i, c), folds.of_row[i] == 0 ? 1e-6 : 0.6);
  }
}

TEST(RandomStart, HasOrthonormalColumnsOrUnitVariance) {
  Parameters parameters = testing::plain_parameters();
  parameters.n_components = 3;
  const Matrix<float> fading = random_start_values(100, parameters);
  parameters.init_fade = 0;
  const Matrix<float> kept_values = random_start_values(100, parameters);
  for (Index a = 0; a < 3; ++a) {
    for (Index b = 0; b < 3; ++b) {
      EXPECT_NEAR(dot(fading, a, b), a == b ? 99 : 0, 1e-3);
      EXPECT_NEAR(dot(kept_values, a, b), a == b ? 1 : 0, 1e-5);
    }
  }
}

}  // namespace
}  // namespace treecca
