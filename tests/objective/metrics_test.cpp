#include "treecca/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "helpers/eigen_matrices.hpp"
#include "helpers/random_data.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

TEST(Metrics, EqualsPearsonOfTheColumns) {
  const int n = 150;
  const int m = 3;
  const int k = 4;
  std::vector<Matrix<float>> variates;
  std::vector<MatrixXd> normalised;
  const MatrixXd common = random_normal(n, k, 1);
  for (int v = 0; v < m; ++v) {
    const double sign = v == 1 ? -1 : 1;
    variates.push_back(to_matrix<float>(sign * common + random_normal(n, k, 2 + v)));
    normalised.push_back(centred(to_eigen(variates.back())).colwise().normalized());
  }
  const std::vector<double> pairwise = pairwise_correlations(variates);
  ASSERT_EQ(pairwise.size(), static_cast<std::size_t>(m * m * k));
  const std::vector<double> components = component_correlations(variates);
  ASSERT_EQ(components.size(), static_cast<std::size_t>(k));
  double total = 0;
  for (int c = 0; c < k; ++c) {
    double sum = 0;
    double magnitudes = 0;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) {
        const double expected = normalised[i].col(c).dot(normalised[j].col(c));
        EXPECT_NEAR(pairwise[(i * m + j) * k + c], expected, 1e-12);
        if (i < j) sum += expected;
        if (i < j) magnitudes += std::abs(expected);
      }
    }
    EXPECT_NEAR(components[c], sum / 3, 1e-12);
    total += magnitudes / 3;
  }
  EXPECT_NEAR(tcc(variates), total, 1e-12);
}

TEST(Metrics, OffsetScaleAndSignDoNotMatter) {
  const MatrixXd a = random_normal(200, 2, 10);
  const MatrixXd b = a + random_normal(200, 2, 11);
  const double plain = tcc({to_matrix<float>(a), to_matrix<float>(b)});
  for (const double scale : {1e-12, -1.0, 1e12}) {
    EXPECT_NEAR(tcc({to_matrix<float>(a), to_matrix<float>(scale * b)}), plain, 1e-6);
  }
  const MatrixXd shifted = b.array() + 100;
  EXPECT_NEAR(tcc({to_matrix<float>(a), to_matrix<float>(shifted)}), plain, 1e-4);
}

TEST(Metrics, AConstantColumnCorrelatesZeroAlsoWithItself) {
  MatrixXd a = random_normal(50, 2, 12);
  a.col(1).setConstant(0.1);
  const Matrix<float> z = to_matrix<float>(a);
  EXPECT_EQ(pairwise_correlations({z, z}), (std::vector<double>{1, 0, 1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(component_correlations({z, z}), (std::vector<double>{1, 0}));
}

TEST(Metrics, OneRowOrNoneHasNoCorrelation) {
  EXPECT_EQ(tcc({Matrix<float>(1, 2, 3.0f), Matrix<float>(1, 2, 4.0f)}), 0.0);
  EXPECT_EQ(tcc({Matrix<float>(0, 2), Matrix<float>(0, 2)}), 0.0);
}

TEST(Metrics, RejectsWhatCannotBeCompared) {
  EXPECT_THROW(tcc({}), DataError);
  EXPECT_THROW(tcc({Matrix<float>(5, 2)}), DataError);
  EXPECT_THROW(tcc({Matrix<float>(5, 2), Matrix<float>(4, 2)}), DataError);
  EXPECT_THROW(tcc({Matrix<float>(5, 2), Matrix<float>(5, 3)}), DataError);
  Matrix<float> gap(5, 2);
  gap(3, 1) = std::numeric_limits<float>::quiet_NaN();
  try {
    tcc({Matrix<float>(5, 2), gap});
    FAIL() << "a missing value was accepted";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("view 2 are not finite at row 4, component 2"), std::string::npos)
        << error.what();
  }
}

TEST(ComponentCorrelations, WeightsAreRepetitions) {
  const Matrix<float> a = testing::normal_matrix(20, 1, 1);
  const Matrix<float> b = testing::normal_matrix(20, 1, 2);
  std::vector<float> weights(20, 1.0F);
  Matrix<float> a2(21, 1), b2(21, 1);
  for (Index i = 0; i < 21; ++i) a2(i, 0) = a(i % 20, 0), b2(i, 0) = b(i % 20, 0);
  weights[0] = 2;
  EXPECT_NEAR(component_correlations({a, b}, weights)[0], component_correlations({a2, b2})[0], 1e-9);
  EXPECT_THROW(component_correlations({a, b}, std::vector<float>(3, 1.0F)), DataError);
}

TEST(ComponentsAboveNoise, AreThoseBeyondTheNoiseLevel) {
  const double noise = noise_level(100, 3);
  EXPECT_EQ(components_above_noise({0.9, noise, -0.9}, 100), (std::vector<Index>{0}));
  EXPECT_EQ(components_above_noise({0.0, 0.8, 0.9}, 100), (std::vector<Index>{1, 2}));
  EXPECT_TRUE(components_above_noise({}, 100).empty());
}

}  // namespace
}  // namespace treecca
