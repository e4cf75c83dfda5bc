#include "linalg/gram_kernels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "helpers/eigen_matrices.hpp"

namespace treecca {
namespace {

/// Every instruction set gives the sums of plain loops, bit for bit, and writes nowhere else.
TEST(GramKernels, EqualPlainSumsOnEveryInstructionSet) {
  for (const std::ptrdiff_t cols : {1, 3, 6, 8, 15, 16, 17, 31, 33, 50, 100}) {
    for (const std::ptrdiff_t rows : {0, 1, 7, 256, 257, 600}) {
      const std::ptrdiff_t stride = cols + 2;
      const Eigen::MatrixXd x = random_normal(stride, rows, static_cast<unsigned>(1000 * cols + rows));
      const Eigen::MatrixXd before = random_normal(cols, cols, 1);
      Eigen::MatrixXd expected = before, part = Eigen::MatrixXd::Zero(cols, cols);
      for (std::ptrdiff_t r = 0; r < rows; ++r) {
        for (std::ptrdiff_t j = 0; j < cols; ++j) {
          for (std::ptrdiff_t i = 0; i <= j; ++i) {
            const double product = x(i, r) * x(j, r);
            part(i, j) += product;
          }
        }
        if ((r + 1) % kGramRows != 0 && r + 1 < rows) continue;
        expected += part;
        part.setZero();
      }
      for (const InstructionSet set : available_instruction_sets()) {
        const std::string name(name_of(set));
        constexpr double kUntouched = 7;
        std::vector<double> buffer(static_cast<std::size_t>(gram_buffer_size(cols)) + 8, kUntouched);
        std::vector<double> sum(before.data(), before.data() + before.size());
        sum.resize(sum.size() + 8, kUntouched);
        gram_kernels(set).add_rows(x.data(), rows, stride, cols, buffer.data(), sum.data());
        for (std::ptrdiff_t j = 0; j < cols; ++j) {
          for (std::ptrdiff_t i = 0; i <= j; ++i) {
            ASSERT_EQ(sum[static_cast<std::size_t>(j * cols + i)], expected(i, j))
                << name << ' ' << cols << ' ' << rows;
          }
        }
        for (std::size_t i = 1; i <= 8; ++i) {
          ASSERT_EQ(sum[sum.size() - i], kUntouched) << name;
          ASSERT_EQ(buffer[buffer.size() - i], kUntouched) << name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace treecca
