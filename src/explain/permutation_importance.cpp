#include "treecca/permutation_importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "explain/used_features.hpp"
#include "model/view_at.hpp"
#include "support/order.hpp"
#include "support/parallel.hpp"
#include "support/random.hpp"
#include "treecca/error.hpp"
#include "treecca/transform.hpp"
#include "trees/predict.hpp"

namespace treecca {
namespace {

constexpr Index kMostPermutations = 10000;
constexpr Index kFewestSamples = 3;

/// Pearson correlation over the samples that have both; 0 if either is constant.
double correlation_of_present(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, mean_x = 0, mean_y = 0;
  const auto present = [&](std::size_t i) { return std::isfinite(x[i]) && std::isfinite(y[i]); };
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!present(i)) continue;
    n += 1;
    mean_x += x[i];
    mean_y += y[i];
  }
  mean_x /= std::max(1.0, n);
  mean_y /= std::max(1.0, n);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!present(i)) continue;
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0.0;
}

/// Per component, N numbers.
std::vector<std::vector<double>> columns_of_variates(const Matrix<float>& variates) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(variates.cols()));
  for (Index k = 0; k < variates.cols(); ++k) {
    for (Index i = 0; i < variates.rows(); ++i) columns[static_cast<std::size_t>(k)].push_back(variates(i, k));
  }
  return columns;
}

/// The variates of all views, and a view's variates after permuting one of its features.
class PermutedView {
 public:
  PermutedView(const Model& model, Index number, const MatrixView& values,
               const std::vector<std::vector<std::vector<double>>>& variates,
               const PermutationImportanceOptions& options)
      : view_(view_at(model, number)),
        number_(number),
        k_(model.n_components()),
        n_(values.rows()),
        table_(values.less(view_.offset)),
        variates_(variates),
        by_feature_(view_),
        maps_(linear_parts(view_, k_)) {
    std::vector<Index> present;  // samples without the view have no variates and are not permuted
    for (Index i = 0; i < n_; ++i) {
      if (!std::isnan(variates[static_cast<std::size_t>(number)][0][static_cast<std::size_t>(i)])) present.push_back(i);
    }
    for (Index r = 0; r < options.n_permutations; ++r) {
      const std::vector<Index> order = random_order(
          static_cast<Index>(present.size()), {options.random_state,
                                               Draw::permutation,
                                               {static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(r)}});
      std::vector<Index>& rows = permutations_.emplace_back(static_cast<std::size_t>(n_));
      std::iota(rows.begin(), rows.end(), Index{0});
      for (std::size_t i = 0; i < present.size(); ++i) {
        rows[static_cast<std::size_t>(present[i])] = present[static_cast<std::size_t>(order[i])];
      }
    }
    for (const Index feature : by_feature_.tested().features) {
      for (Index i = 0; i < n_; ++i) tested_values_.push_back(table_(i, feature));
    }
  }

  /// Ascending.
  std::vector<Index> used_features() const {
    std::vector<Index> used;
    for (Index j = 0; j < static_cast<Index>(view_.feature_names.size()); ++j) {
      const bool weighed = std::any_of(maps_.begin(), maps_.end(), [&](const LinearMap& map) {
        const auto not_zero = [](double w) { return w != 0; };
        const auto at = static_cast<std::size_t>(j);
        const bool levels = !map.level_begin.empty() && std::any_of(map.weights.row(map.level_begin[at]),
                                                                    map.weights.row(map.level_begin[at + 1]), not_zero);
        return levels || std::any_of(map.weights.row(j), map.weights.row(j) + k_, not_zero);
      });
      if (weighed || by_feature_.tested().places[static_cast<std::size_t>(j)] != kUnused) used.push_back(j);
    }
    return used;
  }

  /// The values of the tested features, feature by feature; each worker permutes its own copy.
  const std::vector<float>& tested_values() const { return tested_values_; }

  /// Correlation of the view with the others, mean over the pairs; `own`: its variates, per component.
  double correlation_with_others(const std::vector<double>& own, std::size_t k) const {
    double sum = 0;
    for (std::size_t w = 0; w < variates_.size(); ++w) {
      if (static_cast<Index>(w) != number_) sum += correlation_of_present(own, variates_[w][k]);
    }
    return sum / static_cast<double>(variates_.size() - 1);
  }

  /// Correlations of all components after each permutation of a feature, permutations x K. `scratch`: tested_values()
  /// of this worker, restored before returning.
  Matrix<double> correlations_without(Index feature, std::vector<float>& scratch) const {
    const std::int32_t place = by_feature_.tested().places[static_cast<std::size_t>(feature)];
    std::vector<Predictor> predictors;
    std::vector<const PartModel*> parts;
    std::vector<std::vector<double>> before;
    for (std::size_t p = 0; place != kUnused && p < view_.parts.size(); ++p) {
      const std::vector<Encoder> encoders = by_feature_.encoders_with(static_cast<std::size_t>(place), p);
      if (std::all_of(encoders.begin(), encoders.end(), [](const Encoder& e) { return e.empty(); })) continue;
      parts.push_back(&view_.parts[p]);
      predictors.emplace_back(encoders, parts.back()->rotation.rows());
      before.push_back(embedded(predictors.back(), *parts.back(), scratch));
    }
    Matrix<double> result(static_cast<Index>(permutations_.size()), k_);
    for (std::size_t r = 0; r < permutations_.size(); ++r) {
      std::vector<std::vector<double>> own = variates_[static_cast<std::size_t>(number_)];
      if (place != kUnused) permute(place, permutations_[r], scratch);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        add_difference(embedded(predictors[p], *parts[p], scratch), before[p], parts[p]->rotation, own);
      }
      add_linear_difference(feature, permutations_[r], own);
      for (Index k = 0; k < k_; ++k) {
        result(static_cast<Index>(r), k) =
            correlation_with_others(own[static_cast<std::size_t>(k)], static_cast<std::size_t>(k));
      }
    }
    if (place != kUnused) {
      std::copy_n(tested_values_.begin() + place * n_, n_, scratch.begin() + place * n_);
    }
    return result;
  }

 private:
  void permute(Index place, const std::vector<Index>& rows, std::vector<float>& values) const {
    for (Index i = 0; i < n_; ++i) {
      values[static_cast<std::size_t>(place * n_ + i)] =
          tested_values_[static_cast<std::size_t>(place * n_ + rows[static_cast<std::size_t>(i)])];
    }
  }

  /// N x W.
  std::vector<double> embedded(const Predictor& predictor, const PartModel& part,
                               const std::vector<float>& values) const {
    std::vector<double> out(static_cast<std::size_t>(n_ * part.rotation.rows()));
    const auto n_tested = static_cast<Index>(by_feature_.tested().features.size());
    predictor.embed(MatrixView(values.data(), n_, n_tested, 1, n_), 0, n_, out.data());
    return out;
  }

  void add_difference(const std::vector<double>& after, const std::vector<double>& before,
                      const Matrix<double>& rotation, std::vector<std::vector<double>>& own) const {
    const Index width = rotation.rows();
    for (Index i = 0; i < n_; ++i) {
      for (Index l = 0; l < width; ++l) {
        const auto at = static_cast<std::size_t>(i * width + l);
        const double moved = after[at] - before[at];
        if (moved == 0) continue;
        for (Index k = 0; k < k_; ++k) {
          own[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] += moved * rotation(l, k);
        }
      }
    }
  }

  void add_linear_difference(Index feature, const std::vector<Index>& rows,
                             std::vector<std::vector<double>>& own) const {
    for (const LinearMap& map : maps_) {
      if (!map.level_begin.empty()) {
        for (Index i = 0; i < n_; ++i) {
          const LinearMap::Term after = map.term(feature, table_(rows[static_cast<std::size_t>(i)], feature));
          const LinearMap::Term before = map.term(feature, table_(i, feature));
          for (Index k = 0; k < k_; ++k) {
            own[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] +=
                after.factor * map.weights(after.row, k) - before.factor * map.weights(before.row, k);
          }
        }
        continue;
      }
      const double mean = map.mean[static_cast<std::size_t>(feature)];
      const auto away = [&](Index i) {  // a missing value counts as the mean
        const double x = table_(i, feature);
        return std::isnan(x) ? 0.0 : x - mean;
      };
      for (Index i = 0; i < n_; ++i) {
        const double moved = away(rows[static_cast<std::size_t>(i)]) - away(i);
        for (Index k = 0; k < k_; ++k) {
          own[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] += moved * map.weights(feature, k);
        }
      }
    }
  }

  const ViewModel& view_;
  Index number_, k_, n_;
  MatrixView table_;
  const std::vector<std::vector<std::vector<double>>>& variates_;  // [view][component][row]
  TreesByFeature by_feature_;
  std::vector<LinearMap> maps_;
  std::vector<std::vector<Index>> permutations_;  // row i gets the value of row permutations_[repeat][i]
  std::vector<float> tested_values_;
};

void check_permutation_input(const Model& model, const std::vector<MatrixView>& views, Index n_permutations) {
  if (model.views.size() < 2) {
    throw UsageError("The model has a single view: there is no correlation for permuted features to lower.");
  }
  if (n_permutations < 1 || n_permutations > kMostPermutations) {
    throw UsageError(fmt::format("n_permutations must be from 1 to {}, not {}.", kMostPermutations, n_permutations));
  }
  if (views.size() != model.views.size()) {
    throw DataError(fmt::format("The model has {} views, not {}.", model.views.size(), views.size()));
  }
  for (std::size_t v = 0; v < views.size(); ++v) {
    view_for(model, static_cast<Index>(v), views[v]);
    if (views[v].rows() != views[0].rows()) throw DataError("The views have different numbers of rows.");
  }
  if (views[0].rows() < kFewestSamples) {
    throw DataError(fmt::format("Permutation importance needs at least {} samples; there are {}.", kFewestSamples,
                                views[0].rows()));
  }
}

}  // namespace

PermutationImportances permutation_importances(const Model& model, const std::vector<MatrixView>& views,
                                               const PermutationImportanceOptions& options) {
  check_permutation_input(model, views, options.n_permutations);
  const Threads threads(thread_count(options.n_jobs), options.stop);
  const Index m = static_cast<Index>(views.size()), k = model.n_components();
  std::vector<std::vector<std::vector<double>>> variates;
  for (Index v = 0; v < m; ++v) {
    variates.push_back(columns_of_variates(
        transform(model, v, views[static_cast<std::size_t>(v)], options.n_jobs, options.covariates)));
  }
  PermutationImportances result;
  result.correlations = Matrix<double>(m, k);
  for (Index v = 0; v < m; ++v) {
    const auto at = static_cast<std::size_t>(v);
    const PermutedView view(model, v, views[at], variates, options);
    for (Index c = 0; c < k; ++c) {
      const auto component = static_cast<std::size_t>(c);
      result.correlations(v, c) = view.correlation_with_others(variates[at][component], component);
    }
    const Index p = views[at].cols();
    Matrix<double>& drops = result.drops.emplace_back(k, p);
    Matrix<double>& deviations = result.deviations.emplace_back(k, p);
    const std::vector<Index> used = view.used_features();
    std::vector<std::vector<float>> scratch(static_cast<std::size_t>(threads.count));
    parallel_for_workers(static_cast<Index>(used.size()), threads, [&](Index u, int worker) {
      std::vector<float>& values = scratch[static_cast<std::size_t>(worker)];
      if (values.empty()) values = view.tested_values();
      const Index feature = used[static_cast<std::size_t>(u)];
      const Matrix<double> without = view.correlations_without(feature, values);
      const auto repeats = static_cast<double>(without.rows());
      for (Index c = 0; c < k; ++c) {
        double mean = 0, squares = 0;
        for (Index r = 0; r < without.rows(); ++r) mean += without(r, c) / repeats;
        for (Index r = 0; r < without.rows(); ++r) squares += (without(r, c) - mean) * (without(r, c) - mean);
        drops(c, feature) = result.correlations(v, c) - mean;
        deviations(c, feature) = repeats > 1 ? std::sqrt(squares / (repeats - 1)) : 0.0;
      }
    });
  }
  return result;
}

}  // namespace treecca
