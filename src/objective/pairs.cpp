#include "objective/pairs.hpp"

#include <algorithm>
#include <cmath>

namespace treecca {
namespace {

/// A variance below this fraction of the largest possible cancellation error counts as rounding.
constexpr double kRounding = 1e-14;

std::size_t component_count(const std::vector<double>& table, int n_views) {
  return table.size() / static_cast<std::size_t>(n_views * n_views);
}

/// Sets variances within rounding error to 0.
template <class Block>
void drop_rounding(const Eigen::MatrixXd& columns, const Block& covariance, Eigen::VectorXd& variances) {
  const Eigen::VectorXd deviations = covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Eigen::VectorXd bound = columns.cwiseAbs().transpose() * deviations;
  for (Eigen::Index c = 0; c < variances.size(); ++c) {
    if (!(std::abs(variances[c]) > kRounding * bound[c] * bound[c])) variances[c] = 0;
  }
}

}  // namespace

std::vector<double> variate_covariances(const std::vector<Eigen::MatrixXd>& per_view,
                                        const Eigen::MatrixXd& covariance) {
  const std::size_t m = per_view.size();
  const Eigen::Index k = m == 0 ? 0 : per_view[0].cols();
  std::vector<double> table(m * m * static_cast<std::size_t>(k), 0.0);
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < m; ++i) {
    Eigen::Index col = row;
    for (std::size_t j = i; j < m; ++j) {
      const auto block = covariance.block(row, col, per_view[i].rows(), per_view[j].rows());
      Eigen::VectorXd forms = (per_view[i].cwiseProduct(block * per_view[j])).colwise().sum();
      if (i == j) drop_rounding(per_view[i], block, forms);
      for (Eigen::Index c = 0; c < k; ++c) {
        table[(i * m + j) * static_cast<std::size_t>(k) + static_cast<std::size_t>(c)] = forms[c];
        table[(j * m + i) * static_cast<std::size_t>(k) + static_cast<std::size_t>(c)] = forms[c];
      }
      col += per_view[j].rows();
    }
    row += per_view[i].rows();
  }
  return table;
}

std::vector<double> variate_variances(const std::vector<Eigen::MatrixXd>& per_view, const Eigen::MatrixXd& within) {
  const auto m = static_cast<Eigen::Index>(per_view.size());
  const Eigen::Index k = m == 0 ? 0 : per_view[0].cols();
  std::vector<double> table(static_cast<std::size_t>(m * m * k), 0.0);
  for (Eigen::Index i = 0; i < m; ++i) {
    const Eigen::MatrixXd& columns = per_view[static_cast<std::size_t>(i)];
    const Eigen::Index d = columns.rows();
    for (Eigen::Index j = 0; j < m; ++j) {
      const auto block = within.block(i * d, j * d, d, d);
      Eigen::VectorXd forms = columns.cwiseProduct(block * columns).colwise().sum();
      drop_rounding(columns, block, forms);
      for (Eigen::Index c = 0; c < k; ++c) table[static_cast<std::size_t>((i * m + j) * k + c)] = forms[c];
    }
  }
  return table;
}

std::vector<double> pair_correlations(const PairCovariances& given, int n_views) {
  const std::size_t m = static_cast<std::size_t>(n_views);
  const std::vector<double>& covariances = given.covariances;
  const std::size_t k = component_count(covariances, n_views);
  std::vector<double> correlations(covariances.size(), 0.0);
  const auto variance = [&](std::size_t i, std::size_t j, std::size_t c) {
    return given.variances.empty() ? covariances[(i * m + i) * k + c] : given.variances[(i * m + j) * k + c];
  };
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t c = 0; c < k; ++c) {
        const double variance_i = variance(i, j, c);
        const double variance_j = variance(j, i, c);
        if (!(variance_i > 0 && variance_j > 0)) continue;
        const std::size_t at = (i * m + j) * k + c;
        // Two roots instead of the root of the product, which may overflow.
        correlations[at] = std::clamp(covariances[at] / std::sqrt(variance_i) / std::sqrt(variance_j), -1.0, 1.0);
      }
    }
  }
  return correlations;
}

std::vector<double> mean_over_pairs(const std::vector<double>& pairwise, int n_views) {
  const std::size_t m = static_cast<std::size_t>(n_views);
  const std::size_t k = component_count(pairwise, n_views);
  std::vector<double> mean(k, 0.0);
  if (m < 2) return mean;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = i + 1; j < m; ++j) {
      for (std::size_t c = 0; c < k; ++c) mean[c] += pairwise[(i * m + j) * k + c];
    }
  }
  for (double& value : mean) value /= static_cast<double>(m * (m - 1) / 2);
  return mean;
}

}  // namespace treecca
