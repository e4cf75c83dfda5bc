#include "objective/correlation_ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

std::vector<double> normals(Index rows, unsigned seed) {
  const Matrix<float> z = testing::normal_matrix(rows, 1, seed);
  return {z.values().begin(), z.values().end()};
}

template <class Function>
std::vector<double> each(const std::vector<double>& x, Function&& function) {
  std::vector<double> y;
  for (const double value : x) y.push_back(function(value));
  return y;
}

TEST(CorrelationRatio, OfFunctions) {
  const std::vector<double> x = normals(400, 1);
  EXPECT_GT(correlation_ratio(x, each(x, [](double v) { return std::exp(3 * v); })), 0.99);  // ranks: any scale
  const std::vector<double> square = each(x, [](double v) { return v * v; });
  EXPECT_GT(correlation_ratio(x, square), 0.95);
  EXPECT_LT(correlation_ratio(square, x), 0.1);  // the sign is lost
}

TEST(CorrelationRatio, OfClassesUnderOtherNumbers) {
  std::vector<double> classes, codes;
  for (int i = 0; i < 100; ++i) {
    classes.push_back(i % 4);
    codes.push_back(std::vector<double>{30, 1, 70, 2}[static_cast<std::size_t>(i % 4)]);
  }
  EXPECT_DOUBLE_EQ(correlation_ratio(classes, codes), 1.0);
  EXPECT_DOUBLE_EQ(correlation_ratio(codes, classes), 1.0);
}

// Two groups of x, ranks of y by hand: 30 rows, y = row number, x = second half. Between 15^2 / 4 x 30, total
// (30^2 - 1) / 12 x 30.
TEST(CorrelationRatio, ByHand) {
  std::vector<double> x, y;
  for (int i = 0; i < 30; ++i) {
    x.push_back(i < 15 ? 0 : 1);
    y.push_back(i * i);
  }
  const double share = (15.0 * 15.0 / 4) / (899.0 / 12);
  EXPECT_NEAR(correlation_ratio(x, y), 1 - (1 - share) * 29 / 28, 1e-12);
}

TEST(CorrelationRatio, OfNothing) {
  double sum = 0;
  for (unsigned seed = 0; seed < 100; ++seed) sum += correlation_ratio(normals(60, seed), normals(60, 1000 + seed));
  EXPECT_NEAR(sum / 100, 0.0, 0.03);
  EXPECT_EQ(correlation_ratio(normals(29, 1), normals(29, 1)), 0.0);  // too few rows
  EXPECT_EQ(correlation_ratio(normals(100, 1), std::vector<double>(100, 3.0)), 0.0);
}

TEST(CorrelationRatio, MissingValuesAreLeftOut) {
  std::vector<double> x = normals(200, 1);
  std::vector<double> y = x;
  const double whole = correlation_ratio({x.data(), 100}, {y.data(), 100});
  for (std::size_t i = 100; i < 200; ++i) (i % 2 ? x : y)[i] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(correlation_ratio(x, y), whole);
}

}  // namespace
}  // namespace treecca
