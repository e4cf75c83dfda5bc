#include "train/trained.hpp"

#include <span>

#include "train/embeddings.hpp"

namespace treecca {

ComponentCorrelations Trained::out_of_fold_correlations(bool rotate) const {
  if (by_round.empty()) {
    return treecca::out_of_fold_correlations(moments, moment_views(), rotate, parameters.n_components);
  }
  return correlations_of_choice(by_round, moment_views(),
                                rotate || unrotated_by_round.empty() ? nullptr : &unrotated_by_round);
}

Matrix<float> Trained::out_of_fold(Index view, const Folds& folds, Threads threads) const {
  const Index k = parameters.trained_components();
  const auto at = static_cast<std::size_t>(view * folds.count);
  Matrix<float> z(folds.rows(), k);
  out_of_fold_rows({std::span(encoders).subspan(at, static_cast<std::size_t>(folds.count))}, folds, 0, {}, threads, z);
  centre_within_folds(z, moments, view * k, folds, threads);
  return z;
}

Matrix<float> Trained::in_sample(Index view, Threads threads) const {
  const std::size_t per_view = encoders.size() / base_margins.size();
  const auto own = std::span(encoders).subspan(static_cast<std::size_t>(view) * per_view, per_view);
  return mean_rows({own}, own[0].embedding.rows(), threads);
}

}  // namespace treecca
