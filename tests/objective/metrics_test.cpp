#include "treecca/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "helpers/eigen_matrices.hpp"
#include "helpers/missing_views.hpp"
#include "helpers/random_data.hpp"
#include "helpers/temporary_file.hpp"
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

/// Sum over components of |correlation| of the columns that are left of every view after plain Gram-Schmidt.
double plain_distinct_tcc(const std::vector<MatrixXd>& views) {
  std::vector<MatrixXd> own;
  for (const MatrixXd& view : views) {
    MatrixXd z = centred(view);
    for (Eigen::Index c = 0; c < z.cols(); ++c) {
      for (Eigen::Index b = 0; b < c; ++b) z.col(c) -= z.col(b).dot(z.col(c)) * z.col(b);
      z.col(c).normalize();
    }
    own.push_back(z);
  }
  double total = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t j = i + 1; j < own.size(); ++j, ++pairs) {
      total += (own[i].cwiseProduct(own[j])).colwise().sum().cwiseAbs().sum();
    }
  }
  return total / pairs;
}

TEST(DistinctTcc, IsThatOfGramSchmidt) {
  for (const int m : {2, 3}) {
    const MatrixXd common = random_normal(120, 3, 20);
    std::vector<MatrixXd> views;
    std::vector<Matrix<float>> variates;
    for (int v = 0; v < m; ++v) {
      const Matrix<float> z = to_matrix<float>(common + random_normal(120, 3, 21 + static_cast<std::uint64_t>(v)));
      variates.push_back(z);
      views.push_back(to_eigen(z));
    }
    EXPECT_NEAR(distinct_tcc(variates), plain_distinct_tcc(views), 1e-9);
    EXPECT_LT(distinct_tcc(variates), 3);
  }
}

TEST(DistinctTcc, RepeatedComponentsCountOnce) {
  const MatrixXd x = random_normal(200, 1, 30);
  const MatrixXd y = x + 0.5 * random_normal(200, 1, 31);
  MatrixXd a(200, 3);
  MatrixXd b(200, 3);
  a << x, 2 * x, -x;
  b << y, y, 3 * y;
  const std::vector<Matrix<float>> repeated{to_matrix<float>(a), to_matrix<float>(b)};
  const double once = tcc({to_matrix<float>(x), to_matrix<float>(y)});
  EXPECT_NEAR(tcc(repeated), 3 * once, 1e-5);
  EXPECT_NEAR(distinct_tcc(repeated), once, 1e-5);
  // Components that are distinct lose nothing.
  const Matrix<float> one = to_matrix<float>(random_normal(200, 1, 32));
  EXPECT_NEAR(distinct_tcc({one, one}), 1, 1e-9);
  EXPECT_EQ(distinct_tcc({Matrix<float>(9, 2, 1.0F), Matrix<float>(9, 2, 1.0F)}), 0);
  EXPECT_THROW(distinct_tcc({Matrix<float>(5, 2), Matrix<float>(4, 2)}), DataError);
}

TEST(NoiseThresholds, AreTwiceStudentsTOnFishersScale) {
  EXPECT_TRUE(noise_thresholds({}, {100, 100, 1}).empty());
  constexpr double kT = 3.070958152;  // t(1 - 0.02 / 3, 9)
  const std::vector<double> two = noise_thresholds({0.1, 0.2}, {10000, 10, 3});
  EXPECT_NEAR(two[0], std::tanh(2 * kT * 0.1), 1e-9);
  EXPECT_NEAR(two[1], std::tanh(2 * kT * 0.2), 1e-9);
  EXPECT_GT(noise_thresholds({0.1}, {100, 100, 2})[0], noise_thresholds({0.1}, {100, 100, 1})[0]);  // more chances
  EXPECT_GT(noise_thresholds({0.1}, {100, 10, 1})[0], noise_thresholds({0.1}, {100, 100, 1})[0]);
}

/// Standard errors of few samples may be small by chance.
TEST(NoiseThresholds, AreNotBelowThoseOfNormalSamples) {
  const std::vector<double> few = noise_thresholds({0.0, 0.01, 0.25}, {16, 16, 3});
  EXPECT_EQ(few[0], few[2]);
  EXPECT_EQ(few[1], few[2]);
  EXPECT_GT(few[0], 0.85);
  EXPECT_LT(few[0], 1);
}

TEST(NoiseThresholds, NeedEightIndependentSamples) {
  EXPECT_FALSE(can_tell_noise(7));
  EXPECT_TRUE(can_tell_noise(8));
}

TEST(ApproximateStandardErrors, ShrinkWithTheCorrelationAndTheSamples) {
  const std::vector<double> errors = approximate_standard_errors({0, 0.6, -0.6, 1}, 100);
  EXPECT_DOUBLE_EQ(errors[0], 0.1);
  EXPECT_DOUBLE_EQ(errors[1], 0.064);
  EXPECT_DOUBLE_EQ(errors[2], 0.064);
  EXPECT_DOUBLE_EQ(errors[3], 0);
}

TEST(Metrics, RowsOfNaNLackTheView) {
  constexpr Index kRows = 60;
  std::vector<Matrix<float>> variates, gaps;
  const MatrixXd common = random_normal(kRows, 2, 1);
  for (int v = 0; v < 3; ++v) {
    variates.push_back(to_matrix<float>(common + random_normal(kRows, 2, 2 + v)));
    gaps.push_back(testing::with_gaps(variates.back(), v));
  }
  std::vector<float> weights;
  for (Index i = 0; i < kRows; ++i) weights.push_back(i % 3 == 0 ? 2 : 1);
  for (const std::vector<float>& given : {std::vector<float>(), weights}) {
    const std::vector<double> found = pairwise_correlations(gaps, given);
    for (std::size_t v = 0; v < 3; ++v) {
      for (std::size_t w = 0; w < 3; ++w) {
        std::vector<Index> rows;
        std::vector<float> own;
        for (Index i = 0; i < kRows; ++i) {
          if (testing::lacks(static_cast<Index>(v), i) || testing::lacks(static_cast<Index>(w), i)) continue;
          rows.push_back(i);
          if (!given.empty()) own.push_back(given[static_cast<std::size_t>(i)]);
        }
        const auto part = [&](std::size_t view) {
          return to_matrix<float>(MatrixXd(to_eigen(variates[view])(rows, Eigen::all)));
        };
        const std::vector<double> expected = pairwise_correlations({part(v), part(w)}, own);
        for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(found[(v * 3 + w) * 2 + c], expected[2 + c], 1e-9);
      }
    }
  }
  EXPECT_GT(tcc(gaps), 0.5);
  EXPECT_LE(distinct_tcc(gaps), tcc(gaps) + 1e-9);
  gaps[1](0, 0) = std::numeric_limits<float>::quiet_NaN();  // one number of a row that has the view
  expect_error<DataError>([&] { pairwise_correlations(gaps); }, {"not finite at row 1, component 1"});
}

TEST(Metrics, ViewsMustShareTwoSamples) {
  Matrix<float> a = testing::normal_matrix(4, 1, 1), b = testing::normal_matrix(4, 1, 2);
  a(0, 0) = a(1, 0) = b(3, 0) = std::numeric_limits<float>::quiet_NaN();
  expect_error<DataError>([&] { pairwise_correlations({a, b}); }, {"Views 1 and 2 share only one of these samples"});
}

}  // namespace
}  // namespace treecca
