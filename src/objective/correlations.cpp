#include "objective/correlations.hpp"

#include "objective/pairs.hpp"
#include "objective/rotation.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

void add_to(std::vector<double>& sum, const std::vector<double>& values) {
  if (sum.empty()) sum.assign(values.size(), 0.0);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
}

void add_to(PairCovariances& sum, const PairCovariances& more) {
  add_to(sum.covariances, more.covariances);
  add_to(sum.variances, more.variances);
}

/// Covariances of the variates that the matrices make from the embeddings of a fold.
PairCovariances covariances_in_fold(const Moments& moments, std::size_t fold,
                                    const std::vector<Eigen::MatrixXd>& per_view) {
  PairCovariances result(variate_covariances(per_view, moments.scatter[fold]));
  if (!moments.complete()) result.variances = variate_variances(per_view, moments.within[fold]);
  return result;
}

}  // namespace

std::vector<Eigen::MatrixXd> leading_rotation(const Eigen::MatrixXd& covariance, int n_views, bool rotate, Index keep) {
  const Eigen::Index k = covariance.rows() / n_views;
  if (keep == 0) keep = k;
  if (!rotate)
    return std::vector<Eigen::MatrixXd>(static_cast<std::size_t>(n_views), Eigen::MatrixXd::Identity(k, keep));
  std::vector<Eigen::MatrixXd> per_view = common_rotation(covariance, n_views).per_view;
  if (keep < k) {
    for (Eigen::MatrixXd& matrix : per_view) matrix = Eigen::MatrixXd(matrix.leftCols(keep));
  }
  return per_view;
}

double ComponentCorrelations::tcc() const { return total_correlation(per_component); }

ComponentCorrelations ComponentCorrelations::in_order(const std::vector<Index>& order) const {
  const std::size_t k = per_component.size();
  ComponentCorrelations result = *this;
  for (std::size_t c = 0; c < k; ++c) {
    const auto from = static_cast<std::size_t>(order[c]);
    result.per_component[c] = per_component[from];
    for (std::size_t pair = 0; pair < pairwise.size() / k; ++pair)
      result.pairwise[pair * k + c] = pairwise[pair * k + from];
  }
  return result;
}

void follow_signs(std::vector<Eigen::MatrixXd>& per_view, const std::vector<Eigen::MatrixXd>& like) {
  for (Eigen::Index c = 0; c < per_view[0].cols(); ++c) {
    double agreement = 0;
    for (std::size_t v = 0; v < per_view.size(); ++v) agreement += per_view[v].col(c).dot(like[v].col(c));
    if (agreement >= 0) continue;
    for (Eigen::MatrixXd& matrix : per_view) matrix.col(c) = -matrix.col(c);
  }
}

std::vector<std::vector<Eigen::MatrixXd>> fold_rotations(const Moments& moments, int n_views,
                                                         const std::vector<Eigen::MatrixXd>& like) {
  std::vector<std::vector<Eigen::MatrixXd>> result;
  for (int f = 0; f < static_cast<int>(moments.scatter.size()); ++f) {
    std::vector<Eigen::MatrixXd> per_view =
        leading_rotation(moments.covariance_without(f), n_views, true, like[0].cols());
    follow_signs(per_view, like);
    result.push_back(std::move(per_view));
  }
  return result;
}

FoldCovariances out_of_fold_covariances(const Moments& moments, int n_views, bool rotate, Index keep) {
  FoldCovariances folds;
  for (int f = 0; f < static_cast<int>(moments.scatter.size()); ++f) {
    folds.push_back(covariances_in_fold(moments, static_cast<std::size_t>(f),
                                        leading_rotation(moments.covariance_without(f), n_views, rotate, keep)));
  }
  return folds;
}

PairCovariances summed(const FoldCovariances& folds) {
  PairCovariances pooled;
  for (const PairCovariances& fold : folds) add_to(pooled, fold);
  return pooled;
}

ComponentCorrelations correlations_from(const PairCovariances& covariances, int n_views) {
  ComponentCorrelations result;
  result.pairwise = pair_correlations(covariances, n_views);
  result.per_component = mean_over_pairs(result.pairwise, n_views);
  return result;
}

ComponentCorrelations pooled_correlations(const FoldCovariances& folds, int n_views) {
  return correlations_from(summed(folds), n_views);
}

std::size_t best_candidate(const std::vector<FoldCovariances>& candidates, int n_views, int without) {
  std::size_t best = 0;
  double best_tcc = -1;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    FoldCovariances judged = candidates[c];
    if (without >= 0) judged.erase(judged.begin() + without);
    const double tcc = pooled_correlations(judged, n_views).tcc();
    if (tcc > best_tcc) {
      best_tcc = tcc;
      best = c;
    }
  }
  return best;
}

std::vector<std::size_t> chosen_by_other_folds(const std::vector<FoldCovariances>& candidates, int n_views) {
  std::vector<std::size_t> chosen;
  for (std::size_t f = 0; f < candidates.front().size(); ++f) {
    chosen.push_back(best_candidate(candidates, n_views, static_cast<int>(f)));
  }
  return chosen;
}

ComponentCorrelations correlations_of_choice(const std::vector<FoldCovariances>& candidates, int n_views,
                                             const std::vector<FoldCovariances>* judged) {
  const std::vector<FoldCovariances>& reported = judged != nullptr ? *judged : candidates;
  const std::vector<std::size_t> chosen = chosen_by_other_folds(candidates, n_views);
  PairCovariances pooled;
  for (std::size_t f = 0; f < chosen.size(); ++f) add_to(pooled, reported[chosen[f]][f]);
  return correlations_from(pooled, n_views);
}

ComponentCorrelations out_of_fold_correlations(const Moments& moments, int n_views, bool rotate, Index keep) {
  return pooled_correlations(out_of_fold_covariances(moments, n_views, rotate, keep), n_views);
}

ComponentCorrelations in_sample_correlations(const Moments& moments, int n_views, bool rotate, Index keep) {
  const Eigen::MatrixXd covariance = moments.covariance();
  const std::vector<Eigen::MatrixXd> per_view = leading_rotation(covariance, n_views, rotate, keep);
  if (moments.complete()) return correlations_from(variate_covariances(per_view, covariance), n_views);
  FoldCovariances folds;
  for (std::size_t f = 0; f < moments.scatter.size(); ++f) folds.push_back(covariances_in_fold(moments, f, per_view));
  return pooled_correlations(folds, n_views);
}

}  // namespace treecca
