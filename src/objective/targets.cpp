#include "objective/targets.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/row_products.hpp"
#include "support/parallel.hpp"

namespace treecca {

void mean_of_others(const std::vector<Matrix<float>>& matrices, Index view, Matrix<float>& out, Threads threads) {
  const auto n_views = static_cast<Index>(matrices.size());
  const float share = 1.0F / static_cast<float>(n_views - 1);
  const auto n = static_cast<Index>(out.values().size());
  parallel_blocks(n, kParallelBlock, threads.for_work(n), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      float sum = 0;
      for (Index j = 0; j < n_views; ++j) sum += j == view ? 0.0F : matrices[j].data()[i];
      out.data()[i] = sum * share;
    }
  });
}

Eigen::MatrixXd ey_penalty(const std::vector<Eigen::MatrixXd>& variances, Index view) {
  const auto n_views = static_cast<Index>(variances.size());
  Eigen::MatrixXd penalty = static_cast<double>(n_views - 1) * variances[view];
  for (Index j = 0; j < n_views; ++j) {
    if (j != view) penalty += variances[j];
  }
  return penalty;
}

Matrix<float> ey_gradient(const Matrix<float>& z, Index view, const std::vector<Matrix<float>>& centred,
                          const Eigen::MatrixXd& penalty, Threads threads) {
  Matrix<float> gradient(z.rows(), z.cols());
  multiply_rows(z, penalty, gradient, threads);
  const auto n = static_cast<Index>(gradient.values().size());
  parallel_blocks(n, kParallelBlock, threads.for_work(n), [&](Index begin, Index end) {
    for (std::size_t j = 0; j < centred.size(); ++j) {
      if (static_cast<Index>(j) == view) continue;
      for (Index i = begin; i < end; ++i) gradient.data()[i] -= centred[j].data()[i];
    }
  });
  return gradient;
}

double standard_deviation(const Matrix<float>& matrix, const Folds& folds, Threads threads) {
  const auto n = static_cast<Index>(matrix.values().size());
  const auto blocks = static_cast<std::size_t>((n + kParallelBlock - 1) / kParallelBlock);
  std::vector<double> sums(blocks);
  std::vector<double> squares(blocks);
  parallel_blocks(n, kParallelBlock, threads.for_work(n), [&](Index begin, Index end) {
    double sum = 0;
    double square = 0;
    for (Index i = begin; i < end; ++i) {
      const double x = matrix.data()[i];
      sum += x;
      square += x * x;
    }
    sums[begin / kParallelBlock] = sum;
    squares[begin / kParallelBlock] = square;
  });
  double sum = 0;
  double square = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    sum += sums[b];
    square += squares[b];
  }
  const auto counted = static_cast<Index>(folds.order.size()) * matrix.cols();
  std::vector<double> totals{sum, square, static_cast<double>(counted)};
  folds.samples->peers().sum(totals);
  const double mean = totals[0] / totals[2];
  return std::sqrt(std::max(0.0, totals[1] / totals[2] - mean * mean));
}

}  // namespace treecca
