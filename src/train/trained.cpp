#include "train/trained.hpp"

#include <algorithm>

#include "support/parallel.hpp"

namespace treecca {
namespace {

constexpr Index kTrainedBlock = 1 << 14;  // numbers; less is not worth a second thread

}  // namespace

ComponentCorrelations Trained::out_of_fold_correlations(bool rotate) const {
  if (by_round.empty()) {
    return treecca::out_of_fold_correlations(moments, moment_views(), rotate, parameters.n_components);
  }
  return correlations_of_choice(by_round, moment_views(),
                                rotate || unrotated_by_round.empty() ? nullptr : &unrotated_by_round);
}

Matrix<float> Trained::out_of_fold(Index view, const Folds& folds, Threads threads) const {
  const Index k = parameters.trained_components();
  Matrix<float> z(folds.rows(), k);
  parallel_blocks(z.rows(), kTrainedBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const int fold = folds.of_row[static_cast<std::size_t>(i)];
      if (fold < 0) continue;
      const float* from = encoders[static_cast<std::size_t>(view * folds.count + fold)].embedding.row(i);
      std::copy(from, from + k, z.row(i));
    }
  });
  centre_within_folds(z, moments, view * k, folds, threads);
  return z;
}

Matrix<float> Trained::in_sample(Index view, Threads threads) const {
  const auto per_view = static_cast<Index>(encoders.size() / base_margins.size());
  const auto own =
      std::span(encoders).subspan(static_cast<std::size_t>(view * per_view), static_cast<std::size_t>(per_view));
  Matrix<float> z(own[0].embedding.rows(), own[0].embedding.cols());
  const double share = 1.0 / static_cast<double>(per_view);
  parallel_blocks(static_cast<Index>(z.values().size()), kTrainedBlock, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double sum = 0;
      for (const EncoderState& encoder : own) sum += encoder.embedding.data()[i];
      z.data()[i] = static_cast<float>(sum * share);
    }
  });
  return z;
}

}  // namespace treecca
