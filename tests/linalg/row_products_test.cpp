#include "linalg/row_products.hpp"

#include <gtest/gtest.h>

#include "helpers/eigen_matrices.hpp"
#include "helpers/random_data.hpp"

namespace treecca {
namespace {

TEST(MultiplyRows, EqualsTheProductOnAnyNumberOfThreads) {
  const Index rows = 40'000;  // several blocks
  const Matrix<float> z = testing::normal_matrix(rows, 3, 1);
  const Eigen::MatrixXd by = random_normal(3, 3, 2);
  Matrix<float> out(rows, 3);
  multiply_rows(z, by, out, 1);
  for (const Index i : {Index{0}, Index{16383}, Index{16384}, rows - 1}) {
    for (Index c = 0; c < 3; ++c) {
      double sum = 0;
      for (Index l = 0; l < 3; ++l) sum += static_cast<double>(z(i, l)) * by(l, c);
      EXPECT_NEAR(out(i, c), sum, 1e-6);
    }
  }
  Matrix<float> in_place = z;
  multiply_rows(in_place, by, in_place, 3);
  EXPECT_EQ(in_place, out);
}

TEST(Scale, MultipliesEveryNumber) {
  Matrix<float> z = testing::normal_matrix(70'000, 2, 3);  // enough for a second thread
  const Matrix<float> before = z;
  scale(z, -0.3, 3);
  for (std::size_t i = 0; i < z.values().size(); ++i) {
    ASSERT_EQ(z.values()[i], static_cast<float>(before.values()[i] * -0.3));
  }
}

TEST(ToMatrix, KeepsRowsAndColumns) {
  Eigen::MatrixXd a(2, 3);
  a << 1, 2, 3, 4, 5, 6;
  const Matrix<double> b = to_matrix(a);
  EXPECT_EQ(b.rows(), 2);
  EXPECT_EQ(b.values(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(SpanOf, SharesTheNumbers) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2, 3);
  ASSERT_EQ(span_of(a).size(), 6U);
  span_of(a)[3] = 7;
  EXPECT_EQ(a(1, 1), 7);  // column by column
}

}  // namespace
}  // namespace treecca
