#include "fit/choose.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "linalg/row_products.hpp"

namespace treecca {
namespace {

constexpr double kMaxStretch = 2;

/// Sums of squares of the influences of rows (or groups), one per component. `influence`: N x K.
Eigen::VectorXd squared_influences(const Eigen::MatrixXd& influence, const Samples& samples) {
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(influence.cols(), 1);
  if (!samples.grouped()) {
    squares = influence.cwiseAbs2().colwise().sum().transpose();
    samples.peers().sum(span_of(squares));
    return squares.col(0);
  }
  for (Index c = 0; c < influence.cols(); ++c) {
    std::map<std::int64_t, double> by_group;
    for (Index i = 0; i < influence.rows(); ++i) {
      by_group[samples.groups()[static_cast<std::size_t>(i)]] += influence(i, c);
    }
    for (const auto& [group, sum] : summed_by_key(by_group, samples.peers())) squares(c, 0) += sum * sum;
  }
  return squares.col(0);
}

/// The factor by which correlations of the mean over all parts exceed correlations of a mean over the repeats.
std::vector<double> stretch_of(const std::vector<double>& shipped, const std::vector<double>& plain) {
  constexpr double kTiny = 1e-12;
  std::vector<double> stretch;
  for (std::size_t i = 0; i < shipped.size(); ++i) {
    stretch.push_back(std::clamp(std::abs(shipped[i]) / std::max(std::abs(plain[i]), kTiny), 1.0, kMaxStretch));
  }
  return stretch;
}

void multiply(std::vector<double>& values, const std::vector<double>& by) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= by[i];
}

}  // namespace

StandardErrors standard_errors(const std::vector<Matrix<double>>& variates, const Samples& samples) {
  const Index n = variates[0].rows();
  const Index k = variates[0].cols();
  const auto m = static_cast<Index>(variates.size());
  const auto at = [&](Index v, Index w, Index c) { return (v * m + w) * k + c; };
  const auto z = [&](Index v, Index i, Index c) { return variates[static_cast<std::size_t>(v)](i, c); };
  const auto error = [](double squares, double total, Index independent) {
    const auto groups = static_cast<double>(std::max<Index>(2, independent));
    return std::sqrt(groups / (groups - 1) * squares) / total;
  };
  // For variates a and b of unit variance with correlation r: a b - r (a^2 + b^2) / 2.
  StandardErrors errors;
  errors.pairwise.assign(static_cast<std::size_t>(m * m * k), 0.0);
  errors.fisher.pairwise = errors.pairwise;
  const auto on_fishers_scale = [](double value, double r) { return value / std::max(1 - r * r, 1e-9); };
  std::vector<double> mean(static_cast<std::size_t>(k), 0.0);  // of the correlations of all pairs
  Eigen::MatrixXd of_mean = Eigen::MatrixXd::Zero(n, k);
  const double pairs = static_cast<double>(m * (m - 1)) / 2;
  double all = 0;  // weight of all rows
  for (Index i = 0; i < n; ++i) all += samples.weight(i);
  all = samples.peers().sum(all);
  for (Index v = 0; v < m; ++v) {
    for (Index w = v + 1; w < m; ++w) {
      // Over the rows that have both views: products, squares of v and of w per component; weight.
      Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(3 * k + 1, 1);
      const auto counts = [&](Index i) { return samples.has(v, i) && samples.has(w, i); };
      for (Index i = 0; i < n; ++i) {
        if (!counts(i)) continue;
        for (Index c = 0; c < k; ++c) {
          sums(c, 0) += samples.weight(i) * z(v, i, c) * z(w, i, c);
          sums(k + c, 0) += samples.weight(i) * z(v, i, c) * z(v, i, c);
          sums(2 * k + c, 0) += samples.weight(i) * z(w, i, c) * z(w, i, c);
        }
        sums(3 * k, 0) += samples.weight(i);
      }
      samples.peers().sum(span_of(sums));
      const double total = sums(3 * k, 0);
      const auto scale = [&](Index which, Index c) {
        const double square = sums(which * k + c, 0) / total;
        return square > 0 ? 1 / std::sqrt(square) : 0.0;
      };
      Eigen::MatrixXd influence = Eigen::MatrixXd::Zero(n, k);
      std::vector<double> of_pair(static_cast<std::size_t>(k));
      for (Index c = 0; c < k; ++c) {
        const double scale_v = scale(1, c);
        const double scale_w = scale(2, c);
        const double r = sums(c, 0) / total * scale_v * scale_w;
        of_pair[static_cast<std::size_t>(c)] = r;
        mean[static_cast<std::size_t>(c)] += r / pairs;
        for (Index i = 0; i < n; ++i) {
          if (!counts(i)) continue;
          const double a = z(v, i, c) * scale_v;
          const double b = z(w, i, c) * scale_w;
          influence(i, c) = samples.weight(i) * (a * b - r * (a * a + b * b) / 2);
        }
      }
      of_mean += total == all ? Eigen::MatrixXd(influence / pairs) : Eigen::MatrixXd(influence * (all / total / pairs));
      const Eigen::VectorXd squares = squared_influences(influence, samples);
      for (Index c = 0; c < k; ++c) {
        const double of_component = error(squares(c), total, samples.shared(v, w).independent);
        for (const Index i : {at(v, w, c), at(w, v, c)}) {
          errors.pairwise[static_cast<std::size_t>(i)] = of_component;
          errors.fisher.pairwise[static_cast<std::size_t>(i)] =
              on_fishers_scale(of_component, of_pair[static_cast<std::size_t>(c)]);
        }
      }
    }
  }
  const Eigen::VectorXd squares = squared_influences(of_mean, samples);
  for (Index c = 0; c < k; ++c) {
    errors.per_component.push_back(error(squares(c), all, samples.independent()));
    errors.fisher.per_component.push_back(
        on_fishers_scale(errors.per_component.back(), mean[static_cast<std::size_t>(c)]));
  }
  return errors;
}

ComponentCorrelations nested_correlations(const std::vector<FoldCovariances>& plain,
                                          const std::vector<FoldCovariances>& shipped, int n_views, Index n_samples) {
  const std::vector<std::size_t> chosen = chosen_by_other_folds(plain, n_views);
  FoldCovariances shipped_chosen, plain_chosen;
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    shipped_chosen.push_back(shipped[chosen[f]][f]);
    plain_chosen.push_back(plain[chosen[f]][f]);
  }
  return shipped_correlations(summed(shipped_chosen), summed(plain_chosen), n_views, n_samples);
}

Choice choose(const std::vector<Candidate>& candidates, const Samples& samples) {
  const auto n_views = static_cast<int>(candidates[0].rotation.size());
  std::vector<FoldCovariances> plain, shipped;
  for (const Candidate& candidate : candidates) {
    plain.push_back(candidate.plain);
    shipped.push_back(candidate.shipped);
  }
  Choice choice;
  choice.best = best_candidate(plain, n_views);
  choice.out_of_fold = nested_correlations(plain, shipped, n_views, candidates[0].n_samples);
  const Candidate& best = candidates[choice.best];
  const ComponentCorrelations of_shipped = best.correlations();
  const ComponentCorrelations of_repeats = pooled_correlations(best.plain, n_views);
  choice.standard_errors = standard_errors(best.held_out, samples);
  StandardErrors& errors = choice.standard_errors;
  errors.stretch = {stretch_of(of_shipped.per_component, of_repeats.per_component),
                    stretch_of(of_shipped.pairwise, of_repeats.pairwise)};
  multiply(errors.per_component, errors.stretch.per_component);
  multiply(errors.pairwise, errors.stretch.pairwise);
  return choice;
}

}  // namespace treecca
