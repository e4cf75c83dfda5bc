#include "objective/targets.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/row_products.hpp"
#include "support/parallel.hpp"

namespace treecca {

namespace {

/// K x folds: means of a view over the rows that have it and another view.
Eigen::MatrixXd shared_means(const Matrix<float>& z, const FoldRows& rows, const Samples& samples) {
  const auto folds = static_cast<Index>(rows.begin.size()) - 1;
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(z.cols() + 1, folds);  // last: weight
  for (Index f = 0; f < folds; ++f) {
    for (Index at = rows.begin[static_cast<std::size_t>(f)]; at < rows.begin[static_cast<std::size_t>(f) + 1]; ++at) {
      const auto i = static_cast<Index>(rows.order[static_cast<std::size_t>(at)]);
      const double weight = samples.weight(i);
      for (Index c = 0; c < z.cols(); ++c) sums(c, f) += weight * static_cast<double>(z(i, c));
      sums(z.cols(), f) += weight;
    }
  }
  samples.peers().sum(span_of(sums));
  for (Index f = 0; f < folds; ++f) sums.col(f) /= sums(z.cols(), f) > 0 ? sums(z.cols(), f) : 1.0;
  return sums.topRows(z.cols());
}

}  // namespace

void mean_of_others(const std::vector<Matrix<float>>& matrices, Index view, const Folds& folds, Matrix<float>& out,
                    Threads threads) {
  const Samples& samples = *folds.samples;
  if (!samples.complete()) {
    std::vector<Eigen::MatrixXd> means;
    for (Index j = 0; j < static_cast<Index>(matrices.size()); ++j) {
      means.push_back(shared_means(matrices[static_cast<std::size_t>(j)], folds.shared(view, j), samples));
    }
    parallel_blocks(out.rows(), kParallelBlock, threads, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        float* sum = out.row(i);
        std::fill_n(sum, out.cols(), 0.0F);
        if (!folds.counts(view, i)) continue;
        const int fold = folds.of_row[static_cast<std::size_t>(i)];
        Index others = 0;
        for (Index j = 0; j < static_cast<Index>(matrices.size()); ++j) {
          if (j == view || !samples.has(j, i)) continue;
          ++others;
          const float* z = matrices[static_cast<std::size_t>(j)].row(i);
          for (Index c = 0; c < out.cols(); ++c) {
            sum[c] += z[c] - static_cast<float>(means[static_cast<std::size_t>(j)](c, fold));
          }
        }
        for (Index c = 0; c < out.cols() && others > 1; ++c) sum[c] /= static_cast<float>(others);
      }
    });
    return;
  }
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

Matrix<float> ey_gradient_of_pairs(const Matrix<float>& z, Index view, const std::vector<Matrix<float>>& centred,
                                   const std::vector<Eigen::MatrixXd>& variances, const Folds& folds, Threads threads) {
  Matrix<float> gradient(z.rows(), z.cols());
  Matrix<float> pull(z.rows(), z.cols());
  for (Index j = 0; j < static_cast<Index>(centred.size()); ++j) {
    if (j == view) continue;
    const Matrix<float>& other = centred[static_cast<std::size_t>(j)];
    multiply_rows(z, variances[static_cast<std::size_t>(view)] + variances[static_cast<std::size_t>(j)], pull, threads);
    parallel_blocks(z.rows(), kParallelBlock, threads, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        if (!folds.counts(view, i) || !folds.samples->has(j, i)) continue;
        for (Index c = 0; c < z.cols(); ++c) gradient(i, c) += pull(i, c) - other(i, c);
      }
    });
  }
  return gradient;
}

double standard_deviation(const Matrix<float>& matrix, Index view, const Folds& folds, Threads threads) {
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
  auto rows = static_cast<Index>(folds.order.size());
  if (!folds.samples->complete()) {
    rows = std::count_if(folds.order.begin(), folds.order.end(),
                         [&](RowIndex row) { return folds.samples->paired(view, static_cast<Index>(row)); });
  }
  const Index counted = rows * matrix.cols();
  std::vector<double> totals{sum, square, static_cast<double>(counted)};
  folds.samples->peers().sum(totals);
  const double mean = totals[0] / totals[2];
  return std::sqrt(std::max(0.0, totals[1] / totals[2] - mean * mean));
}

}  // namespace treecca
