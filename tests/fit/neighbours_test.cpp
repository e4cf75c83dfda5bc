#include "fit/neighbours.hpp"

#include <gtest/gtest.h>

#include "helpers/folds.hpp"
#include "helpers/random_data.hpp"

namespace treecca {
namespace {

/// Two views with these out-of-fold variates, whose components were all found.
FitResult fitted(const Matrix<float>& a, const Matrix<float>& b) {
  FitResult result;
  const auto k = static_cast<std::size_t>(a.cols());
  result.model.parameters.n_components = a.cols();
  result.model.effective_samples = static_cast<double>(a.rows());
  result.model.correlations.out_of_fold.assign(k, 0.9);
  result.model.correlations.noise_thresholds.assign(k, 0.1);
  result.model.views.resize(2);
  result.out_of_fold = {a, b};
  return result;
}

Matrix<float> random_walk(Index rows, unsigned seed) {
  Matrix<float> z = testing::normal_matrix(rows, 2, seed);
  double sum = 0;
  for (Index i = 1; i < rows; ++i) z(i, 1) += z(i - 1, 1);
  for (Index i = 0; i < rows; ++i) sum += z(i, 1);
  for (Index i = 0; i < rows; ++i) z(i, 1) -= static_cast<float>(sum / static_cast<double>(rows));
  return z;
}

TEST(AlikeNeighbours, RowsInTheOrderOfTime) {
  const Matrix<float> a = random_walk(300, 1);
  const Matrix<float> b = random_walk(300, 2);
  const std::string text = alike_neighbours(fitted(a, b), Samples(300));
  EXPECT_TRUE(text.starts_with("Neighbouring rows are alike (component 2: correlation 0.9")) << text;
  EXPECT_EQ(alike_neighbours(fitted(a, testing::normal_matrix(300, 2, 3)), Samples(300)), "");  // in one view only
  std::vector<std::int64_t> blocks;
  for (Index i = 0; i < 300; ++i) blocks.push_back(i / 30);
  EXPECT_EQ(alike_neighbours(fitted(a, b), Samples(300, testing::in_groups(blocks))), "");
  FitResult not_found = fitted(a, b);
  not_found.model.correlations.noise_thresholds.assign(2, 1.0);
  EXPECT_EQ(alike_neighbours(not_found, Samples(300)), "");
}

TEST(AlikeNeighbours, RowsInAnyOrder) {
  EXPECT_EQ(
      alike_neighbours(fitted(testing::normal_matrix(300, 2, 1), testing::normal_matrix(300, 2, 2)), Samples(300)), "");
  EXPECT_EQ(alike_neighbours(fitted(random_walk(20, 1), random_walk(20, 2)), Samples(20)), "");  // too few to tell
}

}  // namespace
}  // namespace treecca
