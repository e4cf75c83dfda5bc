#include "fit/choose.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "linalg/row_products.hpp"

namespace treecca {
namespace {

constexpr double kMaxStretch = 2;

/// Sums of squares of the rows' (or groups') influences, one per component. `influence`: N x K.
Eigen::MatrixXd squared_influences(const Eigen::MatrixXd& influence, const Samples& samples) {
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(influence.cols(), 1);
  if (!samples.grouped()) {
    squares = influence.cwiseAbs2().colwise().sum().transpose();
    samples.peers().sum(span_of(squares));
    return squares;
  }
  for (Index c = 0; c < influence.cols(); ++c) {
    std::map<std::int64_t, double> by_group;
    for (Index i = 0; i < influence.rows(); ++i) {
      by_group[samples.groups()[static_cast<std::size_t>(i)]] += influence(i, c);
    }
    for (const auto& [group, sum] : summed_by_key(by_group, samples.peers())) squares(c, 0) += sum * sum;
  }
  return squares;
}

}  // namespace

std::vector<double> standard_errors(const std::vector<Matrix<double>>& variates, const Samples& samples,
                                    const std::vector<double>& stretch) {
  const Index n = variates[0].rows();
  const Index k = variates[0].cols();
  const auto m = variates.size();
  const auto weight = [&](Index i) {
    return samples.weights().empty() ? 1.0 : static_cast<double>(samples.weights()[static_cast<std::size_t>(i)]);
  };
  // Sums over rows: squares per view and component, products per pair of views and component, weights.
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(static_cast<Index>(m * m) * k + 1, 1);
  const auto at = [&](std::size_t v, std::size_t w, Index c) { return static_cast<Index>(v * m + w) * k + c; };
  for (Index i = 0; i < n; ++i) {
    for (std::size_t v = 0; v < m; ++v) {
      for (std::size_t w = v; w < m; ++w) {
        for (Index c = 0; c < k; ++c) {
          sums(at(v, w, c), 0) += weight(i) * variates[v](i, c) * variates[w](i, c);
        }
      }
    }
    sums(sums.rows() - 1, 0) += weight(i);
  }
  samples.peers().sum(span_of(sums));
  const double total = sums(sums.rows() - 1, 0);
  const auto scale = [&](std::size_t v, Index c) {
    const double square = sums(at(v, v, c), 0) / total;
    return square > 0 ? 1 / std::sqrt(square) : 0.0;
  };
  // For variates a and b of unit variance with correlation r: a b - r (a^2 + b^2) / 2.
  Eigen::MatrixXd influence = Eigen::MatrixXd::Zero(n, k);
  const double pairs = static_cast<double>(m * (m - 1)) / 2;
  for (std::size_t v = 0; v < m; ++v) {
    for (std::size_t w = v + 1; w < m; ++w) {
      for (Index c = 0; c < k; ++c) {
        const double scale_v = scale(v, c);
        const double scale_w = scale(w, c);
        const double r = sums(at(v, w, c), 0) / total * scale_v * scale_w;
        for (Index i = 0; i < n; ++i) {
          const double a = variates[v](i, c) * scale_v;
          const double b = variates[w](i, c) * scale_w;
          influence(i, c) += weight(i) * (a * b - r * (a * a + b * b) / 2) / pairs;
        }
      }
    }
  }
  const Eigen::MatrixXd squares = squared_influences(influence, samples);
  const auto groups = static_cast<double>(std::max<Index>(2, samples.independent()));
  std::vector<double> errors;
  for (Index c = 0; c < k; ++c) {
    const double factor = stretch.empty() ? 1.0 : stretch[static_cast<std::size_t>(c)];
    errors.push_back(std::sqrt(groups / (groups - 1) * squares(c, 0)) / total * factor);
  }
  return errors;
}

Choice choose(const std::vector<Candidate>& candidates, const Samples& samples) {
  const auto n_views = static_cast<int>(candidates[0].rotation.size());
  std::vector<FoldCovariances> plain;
  for (const Candidate& candidate : candidates) plain.push_back(candidate.plain);
  Choice choice;
  choice.best = best_candidate(plain, n_views);
  FoldCovariances shipped_chosen, plain_chosen;
  for (std::size_t f = 0; f < plain[0].size(); ++f) {
    const Candidate& chosen = candidates[best_candidate(plain, n_views, static_cast<int>(f))];
    shipped_chosen.push_back(chosen.shipped[f]);
    plain_chosen.push_back(chosen.plain[f]);
  }
  choice.out_of_fold = shipped_correlations(summed(shipped_chosen), summed(plain_chosen), n_views);

  const Candidate& best = candidates[choice.best];
  const std::vector<double> own = best.correlations().per_component;
  const std::vector<double> of_repeats = pooled_correlations(best.plain, n_views).per_component;
  std::vector<double> stretch;
  for (std::size_t c = 0; c < own.size(); ++c) {
    constexpr double kTiny = 1e-12;
    stretch.push_back(std::clamp(std::abs(own[c]) / std::max(std::abs(of_repeats[c]), kTiny), 1.0, kMaxStretch));
  }
  choice.standard_errors = standard_errors(best.held_out, samples, stretch);
  return choice;
}

}  // namespace treecca
