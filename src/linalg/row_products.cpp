#include "linalg/row_products.hpp"

#include <algorithm>
#include <vector>

#include "linalg/products.hpp"
#include "support/parallel.hpp"

namespace treecca {

void multiply_rows(const Matrix<float>& z, const Eigen::MatrixXd& by, Matrix<float>& out, Threads threads) {
  constexpr Index kRows = 256;  // converted to double at a time: `out` may be `z`
  const Index k = z.cols(), stride = (k + kProductLanes - 1) / kProductLanes * kProductLanes;
  std::vector<double> padded(static_cast<std::size_t>(k * stride));
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) padded[static_cast<std::size_t>(i * stride + j)] = by(i, j);
  }
  const ProductKernels& use = product_kernels();
  parallel_blocks(z.rows(), kParallelBlock, threads, [&](Index begin, Index end) {
    std::vector<double> rows(static_cast<std::size_t>(kRows * k));
    for (Index from = begin; from < end; from += kRows) {
      const Index n = std::min(kRows, end - from);
      std::copy_n(z.row(from), n * k, rows.data());
      use.multiply(rows.data(), n, static_cast<int>(k), padded.data(), static_cast<int>(stride), out.row(from));
    }
  });
}

Matrix<float> project_rows(const Matrix<float>& z, std::span<const double> mean, Index columns,
                           const std::function<const Matrix<double>*(Index row)>& of_row, Threads threads) {
  constexpr Index kRows = 1024;
  Matrix<float> result(z.rows(), columns);
  parallel_blocks(z.rows(), kRows, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Matrix<double>* by = of_row(i);
      for (Index c = 0; by != nullptr && c < columns; ++c) {
        double sum = 0;
        for (Index l = 0; l < z.cols(); ++l) {
          sum +=
              (static_cast<double>(z(i, l)) - (mean.empty() ? 0.0 : mean[static_cast<std::size_t>(l)])) * (*by)(l, c);
        }
        result(i, c) = static_cast<float>(sum);
      }
    }
  });
  return result;
}

void scale(Matrix<float>& matrix, double factor, Threads threads) {
  const auto n = static_cast<Index>(matrix.values().size());
  parallel_blocks(n, kParallelBlock, threads.for_work(n), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      matrix.data()[i] = static_cast<float>(matrix.data()[i] * factor);
    }
  });
}

Matrix<double> to_matrix(const Eigen::MatrixXd& matrix) {
  Matrix<double> result(matrix.rows(), matrix.cols());
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) result(i, j) = matrix(i, j);
  }
  return result;
}

Matrix<double> times(const Matrix<double>& left, const Eigen::MatrixXd& right) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return to_matrix(Eigen::Map<const Rows>(left.data(), left.rows(), left.cols()) * right);
}

Matrix<float> to_floats(const Matrix<double>& matrix) {
  Matrix<float> result(matrix.rows(), matrix.cols());
  std::transform(matrix.values().begin(), matrix.values().end(), result.values().begin(),
                 [](double x) { return static_cast<float>(x); });
  return result;
}

Matrix<double> to_doubles(const Matrix<float>& matrix) {
  Matrix<double> result(matrix.rows(), matrix.cols());
  std::copy(matrix.values().begin(), matrix.values().end(), result.values().begin());
  return result;
}

}  // namespace treecca
