#include "train/embeddings.hpp"

#include "support/parallel.hpp"

namespace treecca {

void out_of_fold_rows(const EmbeddedView& view, const Folds& folds, float weight, const Matrix<float>& start,
                      Threads threads, Matrix<float>& out) {
  parallel_blocks(folds.rows(), kParallelBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const int fold = folds.of_row[static_cast<std::size_t>(i)];
      if (fold < 0) continue;
      const float* z = view.row(fold, i);
      for (Index c = 0; c < out.cols(); ++c) out(i, c) = weight > 0 ? z[c] + weight * start(i, c) : z[c];
    }
  });
}

Matrix<float> mean_rows(const EmbeddedView& view, Index rows, Threads threads) {
  const auto n_encoders = static_cast<int>(view.by_fold.size());
  const double share = 1.0 / n_encoders;
  Matrix<float> mean(rows, view.by_fold[0].embedding.cols());
  parallel_blocks(rows, kParallelBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      for (Index c = 0; c < mean.cols(); ++c) {
        double sum = 0;
        for (int f = 0; f < n_encoders; ++f) sum += view.row(f, i)[c];
        mean(i, c) = static_cast<float>(sum * share);
      }
    }
  });
  return mean;
}

}  // namespace treecca
