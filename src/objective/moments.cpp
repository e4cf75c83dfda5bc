#include "objective/moments.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "linalg/add_gram.hpp"
#include "linalg/row_products.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

constexpr Index kGatherRows = 256;          // rows converted to double at a time
constexpr Index kMinBlock = 4096;           // rows per partial sum, at least
constexpr Index kMaxPartials = 64;          // per fold, to bound memory
constexpr Index kProductsPerOperation = 8;  // for Threads::for_work: operations per sum of several products

struct Partial {
  Eigen::VectorXd sum;
  Eigen::MatrixXd product;  // upper triangle; the lower one is undefined
  double count = 0;
};

/// Weighted sums over n rows of z - shift, of its outer product, and of 1.
Partial accumulate(const std::vector<const Matrix<float>*>& embeddings, const RowIndex* order, Index n,
                   const Eigen::VectorXd& shift, std::span<const float> weights) {
  const Index k = embeddings[0]->cols();
  const Index size = static_cast<Index>(embeddings.size()) * k;
  Partial partial{Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
  Eigen::MatrixXd gathered(size, kGatherRows);
  AlignedVector<double> buffer;
  for (Index begin = 0; begin < n; begin += kGatherRows) {
    const Index rows = std::min(kGatherRows, n - begin);
    for (Index i = 0; i < rows; ++i) {
      for (std::size_t v = 0; v < embeddings.size(); ++v) {
        const float* z = embeddings[v]->row(order[begin + i]);
        for (Index c = 0; c < k; ++c) gathered(static_cast<Index>(v) * k + c, i) = z[c];
      }
    }
    gathered.leftCols(rows).colwise() -= shift;
    if (weights.empty()) {
      partial.sum += gathered.leftCols(rows).rowwise().sum();
      partial.count += static_cast<double>(rows);
    } else {
      for (Index i = 0; i < rows; ++i) {
        const double weight = weights[order[begin + i]];
        partial.sum += weight * gathered.col(i);
        partial.count += weight;
        gathered.col(i) *= std::sqrt(weight);
      }
    }
    add_gram(gathered.data(), rows, size, partial.product, buffer);
  }
  return partial;
}

/// Combines the moments of the rows of all processes: first the means, then the scatter around them.
void add_peers(Moments& moments, const Peers& peers) {
  if (peers.alone()) return;
  const std::size_t folds = moments.count.size();
  const Index size = moments.mean[0].size();
  Eigen::MatrixXd sums(size + 1, static_cast<Index>(folds));
  for (std::size_t f = 0; f < folds; ++f) {
    sums.col(static_cast<Index>(f)) << moments.mean[f] * moments.count[f], moments.count[f];
  }
  peers.sum(span_of(sums));
  Eigen::MatrixXd scatters(size, size * static_cast<Index>(folds));
  for (std::size_t f = 0; f < folds; ++f) {
    const double count = sums(size, static_cast<Index>(f));
    const Eigen::VectorXd mean = sums.col(static_cast<Index>(f)).head(size) / (count > 0 ? count : 1.0);
    const Eigen::VectorXd away = moments.mean[f] - mean;
    scatters.middleCols(static_cast<Index>(f) * size, size) =
        moments.scatter[f] + moments.count[f] * away * away.transpose();
    moments.mean[f] = mean;
    moments.count[f] = count;
  }
  peers.sum(span_of(scatters));
  for (std::size_t f = 0; f < folds; ++f) {
    moments.scatter[f] = scatters.middleCols(static_cast<Index>(f) * size, size);
  }
}

/// Moments of the given rows, which have all of the views.
Moments moments_of_rows(const std::vector<const Matrix<float>*>& embeddings, const FoldRows& rows,
                        const Samples& samples, Threads threads) {
  const std::span<const float> weights = samples.weights();
  const Index k = embeddings[0]->cols();
  const Index size = static_cast<Index>(embeddings.size()) * k;
  Moments moments;
  for (std::size_t f = 0; f + 1 < rows.begin.size(); ++f) {
    const Index begin = rows.begin[f];
    const Index n = rows.begin[f + 1] - begin;
    const RowIndex* order = rows.order.data() + begin;
    // Shifting by a row of the fold prevents cancellation in products of large offsets.
    Eigen::VectorXd shift = Eigen::VectorXd::Zero(size);
    for (std::size_t v = 0; n > 0 && v < embeddings.size(); ++v) {
      for (Index c = 0; c < k; ++c) shift(static_cast<Index>(v) * k + c) = (*embeddings[v])(order[0], c);
    }
    const Index block = std::max(kMinBlock, (n + kMaxPartials - 1) / kMaxPartials);
    std::vector<Partial> partials(static_cast<std::size_t>((n + block - 1) / block));
    const Threads worthwhile = threads.for_work(n * size * size / kProductsPerOperation);
    parallel_blocks(n, block, worthwhile, [&](Index from, Index to) {
      partials[from / block] = accumulate(embeddings, order + from, to - from, shift, weights);
    });
    Partial total{Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
    for (const Partial& partial : partials) {
      total.sum += partial.sum;
      total.product += partial.product;
      total.count += partial.count;
    }
    const double count = total.count;
    const Eigen::VectorXd mean = count > 0 ? Eigen::VectorXd(total.sum / count) : total.sum;
    Eigen::MatrixXd scatter = total.product.selfadjointView<Eigen::Upper>();
    scatter -= count * mean * mean.transpose();
    moments.mean.push_back(mean + shift);
    moments.scatter.push_back(std::move(scatter));
    moments.count.push_back(count);
  }
  add_peers(moments, samples.peers());
  return moments;
}

}  // namespace

Moments moments_of(const std::vector<const Matrix<float>*>& embeddings, const Folds& folds, Threads threads,
                   Index first_view) {
  if (folds.samples->complete()) return moments_of_rows(embeddings, folds, *folds.samples, threads);
  const Index k = embeddings[0]->cols();
  const auto m = static_cast<Index>(embeddings.size());
  const auto count = static_cast<std::size_t>(folds.count);
  Moments moments;
  moments.mean.assign(count, Eigen::VectorXd::Zero(m * k));
  moments.scatter.assign(count, Eigen::MatrixXd::Zero(m * k, m * k));
  moments.within = moments.scatter;
  moments.pair_count.assign(count, Eigen::MatrixXd::Zero(m, m));
  moments.count.assign(count, 0.0);
  for (Index v = 0; v < m; ++v) {
    for (Index w = v; w < m; ++w) {
      std::vector<const Matrix<float>*> both{embeddings[static_cast<std::size_t>(v)]};
      if (v < w) both.push_back(embeddings[static_cast<std::size_t>(w)]);
      const Moments own = moments_of_rows(both, folds.shared(first_view + v, first_view + w), *folds.samples, threads);
      for (std::size_t f = 0; f < count; ++f) {
        moments.pair_count[f](v, w) = moments.pair_count[f](w, v) = own.count[f];
        moments.within[f].block(v * k, w * k, k, k) = own.scatter[f].topLeftCorner(k, k);
        moments.within[f].block(w * k, v * k, k, k) = own.scatter[f].bottomRightCorner(k, k);
        moments.scatter[f].block(v * k, w * k, k, k) = own.scatter[f].topRightCorner(k, k);
        moments.scatter[f].block(w * k, v * k, k, k) = own.scatter[f].bottomLeftCorner(k, k);
        if (v == w) moments.mean[f].segment(v * k, k) = own.mean[f];
        if (v == w) moments.count[f] = std::max(moments.count[f], own.count[f]);
      }
    }
  }
  return moments;
}

void centre_within_folds(Matrix<float>& z, const Moments& moments, Index view, Index offset, const Folds& folds,
                         Threads threads) {
  parallel_blocks(z.rows(), kParallelBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const int fold = folds.of_row[static_cast<std::size_t>(i)];
      if (!folds.counts(view, i)) {
        std::fill_n(z.row(i), z.cols(), 0.0F);
        continue;
      }
      const Eigen::VectorXd& mean = moments.mean[static_cast<std::size_t>(fold)];
      for (Index k = 0; k < z.cols(); ++k) z(i, k) = static_cast<float>(z(i, k) - mean(offset + k));
    }
  });
}

Eigen::MatrixXd Moments::covariance() const { return covariance_without(-1); }

Eigen::MatrixXd Moments::covariance_without(int fold) const {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(scatter[0].rows(), scatter[0].cols());
  double degrees = 0;
  Eigen::MatrixXd pair_degrees;
  if (!complete()) pair_degrees = Eigen::MatrixXd::Zero(pair_count[0].rows(), pair_count[0].cols());
  for (int f = 0; f < static_cast<int>(scatter.size()); ++f) {
    if (f == fold) continue;
    sum += scatter[f];
    degrees += count[f] - 1;
    if (!complete()) pair_degrees += (pair_count[f].array() - 1).cwiseMax(0).matrix();
  }
  return complete() ? Eigen::MatrixXd(sum / std::max(1.0, degrees)) : blocks_divided(std::move(sum), pair_degrees);
}

Eigen::MatrixXd blocks_divided(Eigen::MatrixXd sums, const Eigen::MatrixXd& degrees) {
  const Index k = sums.rows() / degrees.rows();
  for (Index v = 0; v < degrees.rows(); ++v) {
    for (Index w = 0; w < degrees.cols(); ++w) sums.block(v * k, w * k, k, k) /= std::max(1.0, degrees(v, w));
  }
  return sums;
}

Moments symmetrised(Moments moments) {
  for (std::size_t f = 0; f < moments.mean.size(); ++f) {
    const Eigen::Index k = moments.mean[f].size() / 2;
    const Eigen::VectorXd mean = (moments.mean[f].head(k) + moments.mean[f].tail(k)) / 2;
    moments.mean[f] << mean, mean;
    Eigen::MatrixXd& scatter = moments.scatter[f];
    const Eigen::MatrixXd within = (scatter.topLeftCorner(k, k) + scatter.bottomRightCorner(k, k)) / 2;
    const Eigen::MatrixXd across = (scatter.topRightCorner(k, k) + scatter.bottomLeftCorner(k, k)) / 2;
    scatter << within, across, across, within;
  }
  return moments;
}

double ey_loss(const Eigen::MatrixXd& covariance, Index n_views) {
  const Index k = covariance.rows() / n_views;
  const auto block = [&](Index i, Index j) { return covariance.block(i * k, j * k, k, k); };
  double loss = 0;
  for (Index i = 0; i < n_views; ++i) {
    for (Index j = i + 1; j < n_views; ++j) {
      loss += -4 * block(i, j).trace() + (block(i, i) + block(j, j)).squaredNorm();
    }
  }
  return loss;
}

}  // namespace treecca
