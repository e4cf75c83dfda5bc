#include "linalg/tall_matrix.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "helpers/eigen_matrices.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

TallMatrix rows_of(const MatrixXd& matrix) {
  return {matrix.rows(), matrix.cols(), [&matrix](Index begin, Index end, Eigen::Ref<RowMatrix> block) {
            ASSERT_EQ(block.rows(), end - begin);
            block = matrix.middleRows(begin, end - begin);
          }};
}

TEST(TallMatrix, ProductsEqualThoseOfTheWholeMatrix) {
  for (const auto& [n, p] : {std::pair<Index, Index>{10000, 7}, {1000, 300}, {63, 5}, {1, 1}}) {
    const MatrixXd matrix = random_normal(n, p, 1);
    const MatrixXd right = random_normal(p, 3, 2);
    const TallMatrix source = rows_of(matrix);
    EXPECT_TRUE(gram(source, 2).isApprox(matrix.transpose() * matrix, 1e-12)) << n;
    EXPECT_TRUE(gram_product(source, right, 2).isApprox(matrix.transpose() * (matrix * right), 1e-12));
    EXPECT_TRUE(product(source, right, 2).isApprox(matrix * right, 1e-12));
  }
}

TEST(TallMatrix, EqualBitsForAnyNumberOfThreads) {
  const MatrixXd matrix = random_normal(20000, 30, 3);
  const MatrixXd right = random_normal(30, 4, 4);
  const TallMatrix source = rows_of(matrix);
  for (const int threads : {2, 4}) {
    EXPECT_EQ(gram(source, 1), gram(source, threads));
    EXPECT_EQ(gram_product(source, right, 1), gram_product(source, right, threads));
    EXPECT_EQ(product(source, right, 1), product(source, right, threads));
  }
}

TEST(TallMatrix, NoRowsAndNoColumns) {
  const MatrixXd nothing(0, 4);
  EXPECT_TRUE(gram(rows_of(nothing), 2).isZero(0));
  EXPECT_EQ(product(rows_of(nothing), MatrixXd::Ones(4, 2), 2).rows(), 0);
  const MatrixXd thin(5, 0);
  EXPECT_EQ(gram(rows_of(thin), 1).size(), 0);
  EXPECT_TRUE(product(rows_of(thin), MatrixXd(0, 2), 1).isZero(0));
}

TEST(TallMatrix, AnExceptionOfTheLoaderReachesTheCaller) {
  const TallMatrix source{1000, 3,
                          [](Index, Index, Eigen::Ref<RowMatrix>) { throw std::runtime_error("cannot load"); }};
  EXPECT_THROW(gram(source, 2), std::runtime_error);
}

}  // namespace
}  // namespace treecca
