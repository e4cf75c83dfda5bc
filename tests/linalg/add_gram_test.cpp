#include "linalg/add_gram.hpp"

#include <gtest/gtest.h>

#include "helpers/eigen_matrices.hpp"

namespace treecca {
namespace {

TEST(AddGram, AddsTheProductsOfRowsForAnyNumberOfColumns) {
  AlignedVector<double> buffer;  // shared: it may be larger than needed
  for (const Index cols : {40, 1, 5, 11, 12, 20}) {
    for (const Index rows : {1, 300}) {
      const Eigen::MatrixXd x = random_normal(cols + 3, rows, static_cast<unsigned>(cols));  // a column holds a row
      Eigen::MatrixXd sum = Eigen::MatrixXd::Constant(cols, cols, 2.0);
      add_gram(x.data(), rows, cols + 3, sum, buffer);
      const Eigen::MatrixXd expected = x.topRows(cols) * x.topRows(cols).transpose();
      for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i <= j; ++i) EXPECT_NEAR(sum(i, j), 2 + expected(i, j), 1e-10) << cols;
      }
    }
  }
}

}  // namespace
}  // namespace treecca
