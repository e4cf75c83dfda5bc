#include "trees/sketch.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "helpers/eigen_matrices.hpp"
#include "helpers/random_data.hpp"
#include "support/random.hpp"

namespace treecca {
namespace {

RandomKey key(std::uint64_t round) { return {5, Draw::gradient_sketch, {round, 0, 0}}; }

TEST(UsesSketch, OnlyBelowTheNumberOfColumns) {
  EXPECT_FALSE(uses_sketch(0, 9));
  EXPECT_TRUE(uses_sketch(7, 9));
  EXPECT_FALSE(uses_sketch(9, 9));
  EXPECT_FALSE(uses_sketch(12, 9));
}

TEST(RandomDirections, AreAFunctionOfTheKey) {
  const Matrix<float> one = random_directions(12, 7, key(1));
  EXPECT_EQ(one, random_directions(12, 7, key(1)));
  EXPECT_NE(one, random_directions(12, 7, key(2)));
}

/// No component is preferred: over many draws every component counts by its square, and pairs of components cancel.
TEST(RandomDirections, SquaredNormsKeepTheirExpectation) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(6, 6);
  constexpr int kDraws = 4000;
  for (std::uint64_t d = 0; d < kDraws; ++d) {
    const Eigen::MatrixXd r = to_eigen(random_directions(6, 2, key(d)));
    sum += r * r.transpose() / kDraws;
  }
  EXPECT_LT((sum - Eigen::MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), 0.06);
}

TEST(GradientSketch, IsTheProductForTheGivenRowsWithTheirWeights) {
  constexpr Index kRows = 40000;  // more than one block of rows
  const Matrix<float> current = testing::normal_matrix(kRows, 11, 1);
  const Matrix<float> target = testing::normal_matrix(kRows, 11, 2);
  const std::vector<std::uint32_t> weight(kRows, 3);
  const GradientSource source{&current, &target, 2, 9, weight.data(), 2.0};
  std::vector<RowIndex> rows;
  for (RowIndex i = 0; i < kRows; i += 3) rows.push_back(i);
  for (const Index size : {Index{1}, Index{7}, Index{8}}) {
    const Matrix<float> directions = random_directions(9, size, key(4));
    GradientSketch sketch(kRows, size);
    const GradientSource sums = sketch.apply(source, directions, rows, 1);
    EXPECT_EQ(sums.width, size);
    EXPECT_EQ(sums.weight, source.weight);
    EXPECT_EQ(sums.units_per_weight, 2.0);
    const Eigen::MatrixXd expected = (to_eigen(current) - to_eigen(target)).middleCols(2, 9) * to_eigen(directions);
    const Matrix<float> once = *sums.current;
    for (const RowIndex row : rows) {
      for (Index j = 0; j < size; ++j) ASSERT_NEAR(once(row, j), expected(row, j), 1e-5);
    }
    EXPECT_EQ(*sketch.apply(source, directions, rows, 4).current, once);
    for (const InstructionSet set : available_instruction_sets()) {
      GradientSketch other(kRows, size, kernels(set));
      EXPECT_EQ(*other.apply(source, directions, rows, 1).current, once) << name_of(set);
    }
  }
}

}  // namespace
}  // namespace treecca
