#include "linear/linear_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

LinearMap map_of(Index features, Index k) {
  LinearMap map{{}, Matrix<double>(features, k)};
  for (Index j = 0; j < features; ++j) {
    map.mean.push_back(0.5 * static_cast<double>(j) - 1);
    for (Index c = 0; c < k; ++c) map.weights(j, c) = static_cast<double>((3 * j + c) % 5) - 2;
  }
  return map;
}

TEST(LinearScores, AreProductsWithTheCentredFeatures) {
  Matrix<float> x = testing::normal_matrix(600, 4, 1);  // several blocks
  x(5, 2) = std::numeric_limits<float>::quiet_NaN();
  x(300, 0) = std::numeric_limits<float>::quiet_NaN();
  const LinearMap map = map_of(4, 2);
  const Matrix<double> scores = linear_scores(map, x, 1);
  ASSERT_EQ(scores.rows(), 600);
  ASSERT_EQ(scores.cols(), 2);
  for (Index i = 0; i < 600; ++i) {
    for (Index c = 0; c < 2; ++c) {
      double sum = 0;
      for (Index j = 0; j < 4; ++j) {  // a missing value counts as the mean
        const double value = std::isnan(x(i, j)) ? map.mean[static_cast<std::size_t>(j)] : x(i, j);
        sum += (value - map.mean[static_cast<std::size_t>(j)]) * map.weights(j, c);
      }
      ASSERT_NEAR(scores(i, c), sum, 1e-12);
    }
  }
  EXPECT_EQ(linear_scores(map, x, 3), scores);
}

TEST(LinearScores, AreAddedToWhatIsThere) {
  const Matrix<float> x = testing::normal_matrix(5, 3, 2);
  const LinearMap map = map_of(3, 2);
  const Matrix<double> all = linear_scores(map, x, 1);
  std::vector<double> out{10, 20, 30, 40};
  add_linear_scores(map, x, 2, 4, out.data());
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_NEAR(out[n], 10 * static_cast<double>(n + 1) + all(2 + static_cast<Index>(n) / 2, static_cast<Index>(n) % 2),
                1e-12);
  }
}

}  // namespace
}  // namespace treecca
