#include "linalg/products.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "helpers/random_data.hpp"

namespace treecca {
namespace {

std::vector<double> random_doubles(Index n, unsigned seed) {
  const Matrix<float> numbers = testing::normal_matrix(n, 1, seed);
  return {numbers.values().begin(), numbers.values().end()};
}

/// Bit by bit: sums in the order of the components.
TEST(ProductKernels, RowsTimesAMatrixAreThePlainSums) {
  for (const InstructionSet set : available_instruction_sets()) {
    for (const int k : {1, 2, 3, 4, 5, 8, 11, 12, 16, 23, 31, 50}) {
      const int stride = (k + kProductLanes - 1) / kProductLanes * kProductLanes;
      const std::vector<double> by = random_doubles(k * stride, 1);
      for (const int n : {0, 1, 3, 4, 5, 42}) {
        const std::vector<double> rows = random_doubles(n * k, 2);
        std::vector<float> out(rows.size(), -7), expected;
        for (int i = 0; i < n; ++i) {
          for (int c = 0; c < k; ++c) {
            double sum = 0;
            for (int l = 0; l < k; ++l) {
              const double product =
                  rows[static_cast<std::size_t>(i * k + l)] * by[static_cast<std::size_t>(l * stride + c)];
              sum += product;
            }
            expected.push_back(static_cast<float>(sum));
          }
        }
        product_kernels(set).multiply(rows.data(), n, k, by.data(), stride, out.data());
        EXPECT_EQ(out, expected) << name_of(set) << ", " << k << " columns, " << n << " rows";
      }
    }
  }
}

}  // namespace
}  // namespace treecca
