#include "linear/cca.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>

#include "linear/directions.hpp"
#include "linear/stacked_moments.hpp"
#include "objective/correlations.hpp"
#include "objective/pairs.hpp"
#include "support/parallel.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

constexpr std::array kShrinkages = {0.0, 0.01, 0.1, 0.3, 0.6, 0.9};

/// Shrinkage values to try. The value 0 needs many more rows than dimensions in every training part.
std::vector<double> shrinkages_for(const std::vector<const StackedMoments*>& of_fold) {
  std::vector<double> values(kShrinkages.begin(), kShrinkages.end());
  for (const StackedMoments* moments : of_fold) {
    const double dimensions = static_cast<double>(moments->offset.back());
    for (const RawMoments& fold : moments->folds) {
      if ((moments->total.count - fold.count).minCoeff() < 2 * dimensions) std::erase(values, 0.0);
    }
  }
  return values;
}

double shrinkage_without_folds(const StackedMoments& moments) {
  return moments.total.rows() >= 4.0 * static_cast<double>(moments.offset.back()) ? 0 : 0.1;
}

/// Views and their moments.
struct Stack {
  const LinearViews* views;
  const StackedMoments* moments;
};

std::vector<const StackedMoments*> moments_in(const std::vector<Stack>& stacks) {
  std::vector<const StackedMoments*> moments;
  for (const Stack& stack : stacks) moments.push_back(stack.moments);
  return moments;
}

/// Covariances of variates if rows lack views, from the rows of a fold (-1: of all). effect: as in
/// StackedMoments::covariate_effect. Collective.
PairCovariances covariances_by_rows(const LinearViews& views, const std::vector<MatrixXd>& per_view,
                                    const MatrixXd& effect, const Folds& folds, int fold, Threads threads) {
  const Samples& samples = views.samples();
  std::vector<int> members;
  for (const int own : folds.of_row) members.push_back(own >= 0 && (fold < 0 || own == fold) ? 0 : -1);
  const Folds rows = Folds::assigned(samples, 1, false, std::move(members));
  const TallMatrix stack = views.stacked(rows.order);
  const Index k = per_view[0].cols(), d = views.covariate_columns();
  std::vector<Matrix<float>> variates;
  for (int v = 0; v < views.count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    const Index first = views.offset()[at], width = views.offset()[at + 1] - first;
    MatrixXd map = MatrixXd::Zero(stack.cols, k);
    map.middleRows(first, width) = per_view[at];
    if (d > 0) map.middleRows(views.dimensions() + v * d, d) = -effect.block(v * d, first, d, width) * per_view[at];
    const MatrixXd own = product(stack, map, threads);
    Matrix<float> z(samples.here(), k);
    for (std::size_t i = 0; i < rows.order.size(); ++i) {
      for (Index c = 0; c < k; ++c) {
        z(static_cast<Index>(rows.order[i]), c) = static_cast<float>(own(static_cast<Index>(i), c));
      }
    }
    variates.push_back(std::move(z));
  }
  std::vector<const Matrix<float>*> together;
  for (const Matrix<float>& z : variates) together.push_back(&z);
  const Moments moments = moments_of(together, rows, threads);
  const std::vector<MatrixXd> as_they_are(variates.size(), MatrixXd::Identity(k, k));
  PairCovariances result(variate_covariances(as_they_are, moments.scatter[0]));
  result.variances = variate_variances(as_they_are, moments.within[0]);
  return result;
}

/// For every fold, the fits to the other folds.
struct FoldFits {
  std::vector<double> shrinkages;
  std::vector<std::vector<Directions>> directions;  // per shrinkage and fold
  std::vector<FoldCovariances> left_out;            // per shrinkage: covariances of the variates in the fold left out
};

/// of_fold: the views that the fit without each fold may use.
FoldFits fit_without_folds(const std::vector<Stack>& of_fold, const Folds& folds, Index k, KrylovLimits limits,
                           std::uint64_t seed, Threads threads) {
  FoldFits fits{shrinkages_for(moments_in(of_fold)), {}, {}};
  const std::size_t count = fits.shrinkages.size();
  const bool complete = folds.samples->complete();
  fits.directions.assign(count, std::vector<Directions>(of_fold.size()));
  fits.left_out.assign(count, FoldCovariances(of_fold.size()));
  std::vector<MatrixXd> effects(of_fold.size());
  parallel_for(static_cast<Index>(of_fold.size()), threads, [&](Index fold_number) {
    const std::size_t f = static_cast<std::size_t>(fold_number);
    const StackedMoments& moments = *of_fold[f].moments;
    const RawMoments others = moments.total - moments.folds[f];
    const MatrixXd effect = moments.covariate_effect(others);
    const MatrixXd training = moments.adjusted(others.covariance(), effect);
    const MatrixXd scatter = complete ? moments.adjusted(moments.folds[f].scatter(), effect) : MatrixXd();
    MatrixXd similar;
    for (std::size_t s = count; s-- > 0;) {  // from strong shrinkage to none: without a start, strong shrinkage
                                             // converges fastest
      check_stop(threads.stop);
      Directions& own = fits.directions[s][f];
      own = fit_directions(training, moments.offset, k, fits.shrinkages[s], limits, seed, similar);
      similar = own.canonical;
      if (complete) fits.left_out[s][f] = variate_covariances(own.per_view, scatter);
    }
    effects[f] = effect;
  });
  for (std::size_t f = 0; f < of_fold.size() && !complete; ++f) {
    for (std::size_t s = 0; s < count; ++s) {
      fits.left_out[s][f] = covariances_by_rows(*of_fold[f].views, fits.directions[s][f].per_view, effects[f], folds,
                                                static_cast<int>(f), threads);
    }
  }
  return fits;
}

/// `rows`: the moments of the rows to fit to. `similar`: as in fit_directions.
LinearFit fitted_to(const LinearViews& views, const StackedMoments& moments, const RawMoments& rows, Index k,
                    double shrinkage, std::uint64_t seed, const MatrixXd& similar) {
  const MatrixXd effect = moments.covariate_effect(rows);
  const std::vector<MatrixXd> per_view =
      fit_directions(moments.adjusted(rows.covariance(), effect), moments.offset, k, shrinkage, kToKeep, seed, similar)
          .per_view;
  LinearFit fit{{}, {}, shrinkage};
  const Index d = moments.covariate_columns;
  for (int v = 0; v < views.count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    fit.maps.push_back(views.map_of_features(v, per_view[at]));
    if (d == 0) continue;
    const Index first = moments.offset[at], width = moments.offset[at + 1] - first;
    fit.covariate_effects.emplace_back(effect.block(v * d, first, d, width) * per_view[at]);
  }
  return fit;
}

}  // namespace

LinearFit fit_linear_cca(const LinearViews& views, const Folds& folds, Index k, std::uint64_t seed, Threads threads) {
  const StackedMoments moments = stacked_moments(views, folds, threads);
  double shrinkage = shrinkage_without_folds(moments);
  MatrixXd similar;
  if (folds.held_out) {
    const std::vector<Stack> of_fold(moments.folds.size(), {&views, &moments});
    const FoldFits fits = fit_without_folds(of_fold, folds, k, kToCompare, seed, threads);
    const std::size_t best = best_candidate(fits.left_out, views.count());
    shrinkage = fits.shrinkages[best];
    similar = fits.directions[best].front().canonical;
  }
  check_stop(threads.stop);
  return fitted_to(views, moments, moments.total, k, shrinkage, seed, similar);
}

std::vector<LinearFit> fit_linear_cca_without_folds(const LinearViews& views, const Folds& folds, Index k,
                                                    std::uint64_t seed, Threads threads) {
  const StackedMoments moments = stacked_moments(views, folds, threads);
  const std::vector<Stack> of_fold(moments.folds.size(), {&views, &moments});
  const FoldFits fits = fit_without_folds(of_fold, folds, k, kToCompare, seed, threads);
  std::vector<LinearFit> result(of_fold.size());
  parallel_for(static_cast<Index>(of_fold.size()), threads, [&](Index fold_number) {
    const auto f = static_cast<std::size_t>(fold_number);
    const std::size_t best = best_candidate(fits.left_out, views.count(), static_cast<int>(f));
    check_stop(threads.stop);
    result[f] = fitted_to(views, moments, moments.total - moments.folds[f], k, fits.shrinkages[best], seed,
                          fits.directions[best][f].canonical);
  });
  return result;
}

LinearBaseline linear_baseline(const std::vector<MatrixView>& views, const Folds& folds, Index k, std::uint64_t seed,
                               Threads threads, const std::vector<std::vector<MatrixView>>& views_of_fold,
                               const std::vector<const Matrix<double>*>& covariates) {
  const int m = static_cast<int>(views.size());
  const LinearViews linear_views(views, *folds.samples, seed, threads, covariates);
  const StackedMoments moments = stacked_moments(linear_views, folds, threads);
  LinearBaseline result;
  result.shrinkage = shrinkage_without_folds(moments);
  MatrixXd similar;
  if (folds.held_out) {
    std::deque<LinearViews> own_views;  // if the folds have their own views
    std::vector<StackedMoments> own(views_of_fold.size());
    std::vector<Stack> of_fold(moments.folds.size(), {&linear_views, &moments});
    for (std::size_t f = 0; f < own.size(); ++f) {
      own_views.emplace_back(views_of_fold[f], *folds.samples, seed, threads, covariates);
      own[f] = stacked_moments(own_views.back(), folds, threads);
      of_fold[f] = {&own_views.back(), &own[f]};
      for (std::size_t other = 0; other < own[f].folds.size(); ++other) {
        if (other != f)
          own[f].folds[other] = {own[f].folds[other].count, {}, {}, {}};  // saves memory: only the count is needed
      }
    }
    const FoldFits fits = fit_without_folds(of_fold, folds, k, kToKeep, seed, threads);
    const std::size_t best = best_candidate(fits.left_out, m);
    result.shrinkage = fits.shrinkages[best];
    result.out_of_fold = correlations_of_choice(fits.left_out, m).per_component;
    std::sort(result.out_of_fold.begin(), result.out_of_fold.end(), std::greater<>());
    if (own.empty()) similar = fits.directions[best].front().canonical;
  }
  const MatrixXd effect = moments.covariate_effect(moments.total);
  const MatrixXd covariance = moments.adjusted(moments.total.covariance(), effect);
  const Directions fit = fit_directions(covariance, moments.offset, k, result.shrinkage, kToKeep, seed, similar);
  const PairCovariances in_sample = folds.samples->complete()
                                        ? PairCovariances(variate_covariances(fit.per_view, covariance))
                                        : covariances_by_rows(linear_views, fit.per_view, effect, folds, -1, threads);
  result.in_sample = mean_over_pairs(pair_correlations(in_sample, m), m);
  return result;
}

}  // namespace treecca
