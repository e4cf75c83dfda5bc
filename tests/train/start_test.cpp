#include "train/start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/random_data.hpp"
#include "linear/linear_map.hpp"

namespace treecca {
namespace {

double dot(const Matrix<float>& z, Index a, Index b) {
  double sum = 0;
  for (Index i = 0; i < z.rows(); ++i) sum += static_cast<double>(z(i, a)) * z(i, b);
  return sum;
}

Parameters kept(Init init, Index k) {
  Parameters parameters;
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
  Parameters parameters;
  parameters.n_components = 5;
  const Start start = start_values(View{"x", x}, 0, parameters, 1);
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(dot(start.values, k, k), 299, 0.1);
  for (Index k = 2; k < 5; ++k) EXPECT_LT(std::abs(dot(start.values, 0, k)) / 299, 0.5);  // no copies
}

TEST(Start, ZeroIsZero) {
  const Matrix<float> x = testing::normal_matrix(30, 2, 1);
  Parameters parameters;
  parameters.init = Init::zero;
  const Start start = start_values(View{"x", x}, 0, parameters, 1);
  for (const float value : start.values.values()) EXPECT_EQ(value, 0.0F);
}

}  // namespace
}  // namespace treecca
