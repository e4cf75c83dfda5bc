#include "objective/honest.hpp"

#include <numeric>

#include "objective/pairs.hpp"
#include "objective/rotation.hpp"

namespace treecca {
namespace {

std::vector<Eigen::MatrixXd> turning(const Eigen::MatrixXd& covariance, int n_views, bool rotate) {
  if (rotate) return canonical_rotation(covariance, n_views).per_view;
  const Eigen::Index k = covariance.rows() / n_views;
  return std::vector<Eigen::MatrixXd>(static_cast<std::size_t>(n_views), Eigen::MatrixXd::Identity(k, k));
}

ComponentCorrelations from_covariances(const std::vector<double>& covariances, int n_views) {
  ComponentCorrelations result;
  result.pairwise = pair_correlations(covariances, n_views);
  result.per_component = mean_over_pairs(result.pairwise, n_views);
  return result;
}

}  // namespace

double ComponentCorrelations::tcc() const {
  return std::accumulate(per_component.begin(), per_component.end(), 0.0);
}

ComponentCorrelations out_of_fold_correlations(const Moments& moments, int n_views, bool rotate) {
  std::vector<double> pooled;
  for (int f = 0; f < static_cast<int>(moments.scatter.size()); ++f) {
    const auto per_view = turning(moments.covariance_without(f), n_views, rotate);
    const std::vector<double> covariances = variate_covariances(per_view, moments.scatter[f]);
    if (pooled.empty()) pooled.assign(covariances.size(), 0.0);
    for (std::size_t i = 0; i < pooled.size(); ++i) pooled[i] += covariances[i];
  }
  return from_covariances(pooled, n_views);
}

ComponentCorrelations in_sample_correlations(const Moments& moments, int n_views, bool rotate) {
  const Eigen::MatrixXd covariance = moments.covariance();
  ComponentCorrelations result =
      from_covariances(variate_covariances(turning(covariance, n_views, rotate), covariance), n_views);
  for (double& value : result.pairwise) value = std::abs(value);
  result.per_component = mean_over_pairs(result.pairwise, n_views);
  return result;
}

}  // namespace treecca
