#include "fit/loadings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "data/levels.hpp"
#include "linalg/row_products.hpp"
#include "support/parallel.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

/// Columns of unit variance and mean 0 over the samples that have the view; NaN for the others.
Matrix<double> standardised(const Matrix<float>& variates, const Samples& samples) {
  const Index n = variates.rows(), k = variates.cols();
  std::vector<double> sums(static_cast<std::size_t>(2 * k + 1), 0.0);
  for (Index i = 0; i < n; ++i) {
    if (k == 0 || std::isnan(variates(i, 0))) continue;
    const double weight = samples.weight(i);
    for (Index c = 0; c < k; ++c) {
      const double z = variates(i, c);
      sums[static_cast<std::size_t>(c)] += weight * z;
      sums[static_cast<std::size_t>(k + c)] += weight * z * z;
    }
    sums.back() += weight;
  }
  samples.peers().sum(sums);
  Matrix<double> result(n, k);
  for (Index c = 0; c < k; ++c) {
    const double mean = sums[static_cast<std::size_t>(c)] / sums.back();
    const double variance = sums[static_cast<std::size_t>(k + c)] / sums.back() - mean * mean;
    const double scale = variance > 0 ? 1 / std::sqrt(variance) : 0.0;
    for (Index i = 0; i < n; ++i) result(i, c) = (variates(i, c) - mean) * scale;
  }
  return result;
}

/// For each sample the number of its group, from 0; without groups, the number of the sample.
std::vector<std::size_t> unit_of_sample(const Samples& samples, std::size_t& count) {
  std::vector<std::size_t> units(static_cast<std::size_t>(samples.here()));
  std::iota(units.begin(), units.end(), std::size_t{0});
  count = units.size();
  if (!samples.grouped()) return units;
  std::map<std::int64_t, std::size_t> numbers;
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i] = numbers.emplace(samples.groups()[i], numbers.size()).first->second;
  }
  count = numbers.size();
  return units;
}

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

/// Correlations of the features of one view with the columns of `targets` (N x T; rows of NaN do not count), and their
/// standard errors.
class FeatureCorrelations {
 public:
  FeatureCorrelations(const View& view, const ViewModel& known, const Matrix<double>& targets, const Samples& samples,
                      Threads threads)
      : view_(view), known_(known), targets_(targets), samples_(samples) {
    const Index p = view.values.cols(), t = targets.cols();
    const Index width = 3 + 3 * t;
    Matrix<double> sums(p, width);
    parallel_for(p, threads, [&](Index j) { add_sums(j, sums.row(j)); });
    samples.peers().sum(sums.values());
    values = Matrix<double>(p, t);
    errors = Matrix<double>(p, t);
    units_ = unit_of_sample(samples, unit_count_);
    for (Index j = 0; j < p; ++j) {
      if (is_category(view.levels, j)) sum_levels(j);
    }
    parallel_for(p, threads, [&](Index j) {
      if (is_category(view.levels, j)) return correlate_levels(j);
      correlate(j, sums.row(j));
    });
  }

  Matrix<double> values, errors;  // p x T

 private:
  /// In units of its standard deviation; NaN if the value is missing, the feature is constant, or there is no target.
  double feature(Index i, Index j) const {
    if (std::isnan(targets_(i, 0))) return std::nan("");
    const auto at = static_cast<std::size_t>(j);
    const double deviation = known_.deviation[at];
    const double x = view_.values(i, j);
    return deviation > 0 && std::isfinite(x) ? (x - known_.mean[at]) / deviation : std::nan("");
  }

  /// n, x, xx, then y of every target, yy of every target, and xy.
  void add_sums(Index j, double* sums) const {
    const Index n_targets = targets_.cols();
    double* const of_y = sums + 3;
    double* const of_yy = of_y + n_targets;
    double* const of_xy = of_yy + n_targets;
    for (Index i = 0; i < targets_.rows(); ++i) {
      const double x = feature(i, j);
      if (std::isnan(x)) continue;
      const double weight = samples_.weight(i);
      sums[0] += weight;
      sums[1] += weight * x;
      sums[2] += weight * x * x;
      const double* y = targets_.row(i);
      for (Index t = 0; t < n_targets; ++t) {
        of_y[t] += weight * y[t];
        of_yy[t] += weight * y[t] * y[t];
        of_xy[t] += weight * x * y[t];
      }
    }
  }

  struct Scaling {
    double mean, scale;
  };

  /// Number of targets whose standard errors are computed together, reading each row once.
  static constexpr Index kTogether = 16;

  /// Correlations of a feature with consecutive targets; r = 0 and scale 0: there is none.
  struct Neighbours {
    Index first = 0, count = 0;
    std::array<double, kTogether> r, mean, scale;

    void add(Index target, double with, const Scaling& of_y) {
      if (count == 0) first = target;
      r[count] = with;
      mean[count] = of_y.mean;
      scale[count] = of_y.scale;
      ++count;
    }
  };

  void correlate(Index j, const double* sums) {
    const Index n_targets = targets_.cols();
    const double n = sums[0];
    const double x_mean = n > 0 ? sums[1] / n : 0;
    const double x_variance = n > 0 ? sums[2] / n - x_mean * x_mean : 0;
    if (!(x_variance > 0)) return;
    const double present = samples_.effective_rows() * n / static_cast<double>(samples_.total());
    Neighbours together;
    for (Index t = 0; t < n_targets; ++t) {
      const double y_mean = sums[3 + t] / n;
      const double y_variance = sums[3 + n_targets + t] / n - y_mean * y_mean;
      if (y_variance > 0) {
        const double covariance = sums[3 + 2 * n_targets + t] / n - x_mean * y_mean;
        const double r = std::clamp(covariance / std::sqrt(x_variance * y_variance), -1.0, 1.0);
        values(j, t) = rounded(r);
        errors(j, t) = approximate_standard_errors({r}, std::max(1.0, present))[0];
        together.add(t, r, {y_mean, 1 / std::sqrt(y_variance)});
      } else {
        together.add(t, 0, {0, 0});
      }
      if (together.count < kTogether && t + 1 < n_targets) continue;
      raise_errors(
          j, [&](Index i) { return feature(i, j); }, {x_mean, 1 / std::sqrt(x_variance)}, n, together);
      together = {};
    }
  }

  /// Sums over the rows of each level: n, then y and yy of every target.
  void sum_levels(Index j) {
    Matrix<double>& sums = level_sums_[j];
    sums =
        Matrix<double>(static_cast<Index>(view_.levels[static_cast<std::size_t>(j)].size()), 1 + 2 * targets_.cols());
    for (Index i = 0; i < targets_.rows(); ++i) {
      const double level = view_.values(i, j);
      if (std::isnan(level)) continue;
      const double weight = samples_.weight(i);
      double* own = sums.row(static_cast<Index>(level));
      own[0] += weight;
      for (Index t = 0; t < targets_.cols(); ++t) {
        const double y = targets_(i, t);
        own[1 + 2 * t] += weight * y;
        own[2 + 2 * t] += weight * y * y;
      }
    }
    samples_.peers().sum(sums.values());
  }

  void correlate_levels(Index j) {
    const Matrix<double>& sums = level_sums_.at(j);
    double n = 0, used = 0;
    for (Index level = 0; level < sums.rows(); ++level) {
      n += sums(level, 0);
      used += sums(level, 0) > 0 ? 1 : 0;
    }
    const double present = std::max(1.0, samples_.effective_rows() * n / static_cast<double>(samples_.total()));
    for (Index t = 0; t < targets_.cols() && used > 1; ++t) {
      double sum = 0, squares = 0, between = 0;
      std::vector<double> means(static_cast<std::size_t>(sums.rows()), 0.0);
      for (Index level = 0; level < sums.rows(); ++level) {
        if (!(sums(level, 0) > 0)) continue;
        const double y = sums(level, 1 + 2 * t);
        means[static_cast<std::size_t>(level)] = y / sums(level, 0);
        sum += y;
        squares += sums(level, 2 + 2 * t);
        between += y * y / sums(level, 0);
      }
      const double y_mean = sum / n;
      const double y_variance = squares / n - y_mean * y_mean;
      const double x_variance =
          between / n - y_mean * y_mean;  // variance of the means of the levels, which are used like a feature
      if (!(y_variance > 0) || !(x_variance > 0)) continue;
      const double plain = std::min(1.0, x_variance / y_variance);
      if (!(present > used)) continue;  // no degrees of freedom within the levels
      const double r = std::sqrt(std::max(0.0, 1 - (1 - plain) * (present - 1) / (present - used)));
      values(j, t) = rounded(r);
      const auto score = [&](Index i) {
        const double level = view_.values(i, j);
        return std::isnan(level) ? level : means[static_cast<std::size_t>(level)];
      };
      errors(j, t) = approximate_standard_errors({r}, present)[0];
      Neighbours one;
      one.add(t, std::sqrt(plain), {y_mean, 1 / std::sqrt(y_variance)});
      raise_errors(j, score, {y_mean, 1 / std::sqrt(x_variance)}, n, one);
    }
  }

  /// Raises the errors of a feature's correlations to those that its samples (or groups) show, where all are known
  /// here, and rounds them. feature(i): its value in row i, or NaN.
  template <class Feature>
  void raise_errors(Index j, const Feature& feature, const Scaling& of_x, double n, const Neighbours& with) {
    std::array<double, kTogether> squares{};
    if (samples_.peers().alone()) {
      std::vector<std::array<double, kTogether>> of_group(samples_.grouped() ? unit_count_ : 0);
      for (Index i = 0; i < targets_.rows(); ++i) {
        const double x = feature(i);
        if (std::isnan(x)) continue;
        const double a = (x - of_x.mean) * of_x.scale;
        const double weight = samples_.weight(i);
        const double* y = targets_.row(i) + with.first;
        std::array<double, kTogether> influence;
        for (Index c = 0; c < with.count; ++c) {
          const double b = (y[c] - with.mean[c]) * with.scale[c];
          influence[c] = weight * (a * b - with.r[c] * (a * a + b * b) / 2);
        }
        if (of_group.empty()) {
          for (Index c = 0; c < with.count; ++c) squares[c] += influence[c] * influence[c];
        } else {
          std::array<double, kTogether>& sums = of_group[units_[static_cast<std::size_t>(i)]];
          for (Index c = 0; c < with.count; ++c) sums[c] += influence[c];
        }
      }
      for (const auto& sums : of_group) {
        for (Index c = 0; c < with.count; ++c) squares[c] += sums[c] * sums[c];
      }
    }
    const auto units = static_cast<double>(std::max<std::size_t>(2, unit_count_));
    for (Index c = 0; c < with.count; ++c) {
      double& error = errors(j, with.first + c);
      error = rounded(std::max(error, std::sqrt(units / (units - 1) * squares[c]) / n));
    }
  }

  const View& view_;
  const ViewModel& known_;
  const Matrix<double>& targets_;
  const Samples& samples_;
  std::vector<std::size_t> units_;
  std::size_t unit_count_ = 0;
  std::map<Index, Matrix<double>> level_sums_;  // of categorical features
};

Matrix<double> columns(const Matrix<double>& matrix, Index begin, Index count) {
  Matrix<double> result(matrix.rows(), count);
  for (Index i = 0; i < matrix.rows(); ++i) std::copy_n(matrix.row(i) + begin, count, result.row(i));
  return result;
}

/// Mean over all views of a row except view `but`; NaN if the row has none of them.
Matrix<double> mean_of_present(const std::vector<Matrix<double>>& views, std::size_t but) {
  Matrix<double> mean(views[0].rows(), views[0].cols());
  for (Index i = 0; i < mean.rows(); ++i) {
    double present = 0;
    for (std::size_t w = 0; w < views.size(); ++w) {
      if (w == but || std::isnan(views[w](i, 0))) continue;
      ++present;
      for (Index c = 0; c < mean.cols(); ++c) mean(i, c) += views[w](i, c);
    }
    for (Index c = 0; c < mean.cols(); ++c) mean(i, c) = present > 0 ? mean(i, c) / present : std::nan("");
  }
  return mean;
}

}  // namespace

std::vector<Loadings> loadings_of(const std::vector<View>& views, const Model& model,
                                  const std::vector<Matrix<float>>& variates, bool cross, const Samples& samples,
                                  Threads threads) {
  const Index n = variates[0].rows(), k = variates[0].cols();
  std::vector<Matrix<double>> scaled;
  for (const Matrix<float>& of_view : variates) scaled.push_back(standardised(of_view, samples));
  const bool others = cross && views.size() > 1;
  std::vector<Loadings> result;
  for (std::size_t v = 0; v < views.size(); ++v) {
    if (!samples.complete()) {  // own and cross-loadings use different samples
      FeatureCorrelations own(views[v], model.views[v], scaled[v], samples, threads);
      Loadings loadings{std::move(own.values), std::move(own.errors), {}, {}};
      if (others) {
        FeatureCorrelations of_others(views[v], model.views[v], mean_of_present(scaled, v), samples, threads);
        loadings.cross = std::move(of_others.values);
        loadings.cross_errors = std::move(of_others.errors);
      }
      result.push_back(std::move(loadings));
      continue;
    }
    Matrix<double> targets(n, others ? 2 * k : k);  // the view's own variates, then the mean of the others'
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < k; ++c) {
        targets(i, c) = scaled[v](i, c);
        for (std::size_t w = 0; others && w < views.size(); ++w) {
          if (w != v) targets(i, k + c) += scaled[w](i, c);
        }
      }
    }
    const FeatureCorrelations found(views[v], model.views[v], targets, samples, threads);
    Loadings loadings{columns(found.values, 0, k), columns(found.errors, 0, k), {}, {}};
    if (others) {
      loadings.cross = columns(found.values, k, k);
      loadings.cross_errors = columns(found.errors, k, k);
    }
    result.push_back(std::move(loadings));
  }
  return result;
}

}  // namespace treecca
