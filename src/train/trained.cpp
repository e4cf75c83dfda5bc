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

Matrix<float> Trained::unadjusted_out_of_fold(Index view, const Folds& folds, Threads threads) const {
  const auto at = static_cast<std::size_t>(view * folds.count);
  Matrix<float> z(folds.rows(), parameters.trained_components());
  out_of_fold_rows({std::span(encoders).subspan(at, static_cast<std::size_t>(folds.count))}, folds, 0, {}, threads, z);
  return z;
}

Matrix<float> Trained::out_of_fold(Index view, const Folds& folds, Threads threads) const {
  Matrix<float> z = unadjusted_out_of_fold(view, folds, threads);
  if (!adjustments.empty()) adjustments[static_cast<std::size_t>(view)].apply(z);
  centre_within_folds(z, moments, view, view * z.cols(), folds, threads);
  return z;
}

Eigen::MatrixXd Trained::covariate_effect(Index view, const Folds& folds, Threads threads) const {
  return adjustments[static_cast<std::size_t>(view)].coefficients(unadjusted_out_of_fold(view, folds, threads));
}

std::vector<Eigen::MatrixXd> Trained::covariate_effect_without_folds(Index view, const Folds& folds,
                                                                     Threads threads) const {
  return adjustments[static_cast<std::size_t>(view)].coefficients_without_folds(
      unadjusted_out_of_fold(view, folds, threads));
}

Matrix<float> Trained::in_sample(Index view, Threads threads) const {
  const std::size_t per_view = encoders.size() / base_margins.size();
  const auto own = std::span(encoders).subspan(static_cast<std::size_t>(view) * per_view, per_view);
  return mean_rows({own}, own[0].embedding.rows(), threads);
}

}  // namespace treecca
