#include "fit/make_result.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "data/levels.hpp"
#include "data/row_hashes.hpp"
#include "fit/loadings.hpp"
#include "fit/warnings.hpp"
#include "linalg/row_products.hpp"
#include "linalg/tall_matrix.hpp"
#include "linear/standardise.hpp"
#include "model/transform.hpp"
#include "objective/adjustment.hpp"
#include "objective/correlations.hpp"
#include "objective/rotation.hpp"
#include "support/order.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// Maps embeddings (W columns) to components (K), in the order of the out-of-fold correlations.
struct FittedRotation {
  std::vector<MatrixXd> per_view;              // W x K
  std::vector<std::vector<MatrixXd>> by_fold;  // [fold][view]: estimated without the fold
  ComponentCorrelations out_of_fold;           // empty without cross-fitting
};

FittedRotation fit_rotation(const Trained& trained, const Folds& folds, bool rotate) {
  const Index k = trained.parameters.n_components;
  const int n_views = trained.moment_views();
  FittedRotation fitted;
  fitted.per_view = leading_rotation(trained.moments.covariance(), n_views, rotate, k);
  if (folds.held_out) fitted.out_of_fold = trained.out_of_fold_correlations(rotate);
  fitted.by_fold.assign(static_cast<std::size_t>(folds.count), fitted.per_view);
  if (!rotate || !folds.held_out) return fitted;
  fitted.by_fold = fold_rotations(trained.moments, n_views, fitted.per_view);
  // The rotation is ordered by the moments it was fitted to. The reported order follows the out-of-fold correlations.
  const std::vector<Index> order = descending_order(fitted.out_of_fold.per_component);
  for (MatrixXd& matrix : fitted.per_view) matrix = MatrixXd(matrix(Eigen::all, order));
  for (auto& per_view : fitted.by_fold) {
    for (MatrixXd& matrix : per_view) matrix = MatrixXd(matrix(Eigen::all, order));
  }
  fitted.out_of_fold = fitted.out_of_fold.in_order(order);
  return fitted;
}

/// Every row of an out-of-fold embedding (centred within folds) rotated by the matrix of its fold and view.
Matrix<float> rotated_rows(const Matrix<float>& z, Index view, const std::vector<std::vector<MatrixXd>>& by_fold,
                           const Folds& folds, Threads threads) {
  std::vector<Matrix<double>> of_fold;
  for (const auto& per_view : by_fold) of_fold.push_back(to_matrix(per_view[static_cast<std::size_t>(view)]));
  const auto of_row = [&](Index i) {
    const int fold = folds.of_row[static_cast<std::size_t>(i)];
    return fold < 0 ? nullptr : &of_fold[static_cast<std::size_t>(fold)];
  };
  return project_rows(z, {}, of_fold[0].cols(), of_row, threads);
}

/// Mean of an N x W embedding of a view, over the rows of all processes that have it.
std::vector<double> column_means(const Matrix<float>& z, Index view, const Samples& samples) {
  std::vector<double> mean(static_cast<std::size_t>(z.cols()), 0.0);
  double count = 0;
  for (Index i = 0; i < z.rows(); ++i) {
    if (!samples.has(view, i)) continue;
    const double weight = samples.weight(i);
    for (Index k = 0; k < z.cols(); ++k) mean[static_cast<std::size_t>(k)] += weight * z(i, k);
    count += weight;
  }
  samples.peers().sum(mean);
  count = samples.peers().sum(count);
  for (double& value : mean) value /= count;
  return mean;
}

/// All fields of a view except its mean embedding.
ViewModel view_model(const View& view, Index number, const MatrixXd& rotation, Trained& trained, const Folds& folds) {
  const auto at = static_cast<std::size_t>(number);
  ViewModel result;
  result.name = view.name;
  result.feature_names = view.feature_names;
  result.levels = view.levels;
  result.offset = view.values.offsets();
  result.base_margin = std::move(trained.base_margins[at]);
  result.screening = std::move(trained.screenings[at]);
  PartModel& part = result.parts.emplace_back();
  part.rotation = to_matrix(rotation);
  for (int f = 0; f < folds.count; ++f) {
    part.encoders.push_back(std::move(trained.encoders[static_cast<std::size_t>(number * folds.count + f)].trees));
  }
  return result;
}

FitResult result_of(const Dataset& data, const Parameters& parameters, Index rounds, History history) {
  FitResult result;
  result.model.parameters = parameters;
  result.model.covariates = data.covariates.terms;
  result.model.n_samples = static_cast<std::uint64_t>(data.samples.total());
  result.model.effective_samples = data.samples.effective();
  const bool by_pairs = !data.samples.complete() && !data.samples.grouped();  // then it is a mean over pairs of views
  result.model.independent_samples =
      static_cast<std::uint64_t>(by_pairs ? data.samples.total() : data.samples.independent());
  const Index m = data.samples.n_views();
  for (Index v = 0; v < m; ++v) {
    for (Index w = 0; w < m; ++w) {
      result.model.shared_samples.push_back(static_cast<std::uint64_t>(data.samples.shared(v, w).rows));
    }
  }
  result.model.rounds = static_cast<std::uint64_t>(rounds);
  result.model.history = std::move(history);
  result.weights.assign(data.samples.weights().begin(), data.samples.weights().end());
  return result;
}

/// Statistics for comparison with later data, and the standard deviations for importances.
void describe_training_data(Model& model, const Dataset& data, Threads threads) {
  for (std::size_t v = 0; v < data.views.size(); ++v) {
    ColumnScaling scaling = column_scaling(data.views[v].values, /*standardise=*/true, threads, data.samples.peers());
    for (double& value : scaling.weight) value = value > 0 ? 1 / value : 0.0;
    model.views[v].level_counts = counts_of_levels(data.views[v], data.samples.peers());
    for (std::size_t j = 0; j < data.views[v].levels.size(); ++j) {  // positions are not quantities
      if (!data.views[v].levels[j].empty()) scaling.mean[j] = scaling.weight[j] = 0;
    }
    model.views[v].mean = std::move(scaling.mean);
    model.views[v].deviation = std::move(scaling.weight);
  }
  model.row_hashes = lowest_row_hashes(matrices_of(data.views), data.samples, kMaxRowHashes, threads);
}

/// The effect of the covariates on the variates, from the effect of their orthonormal columns (r x K).
LinearMap covariate_effect(const CovariateBasis& basis, const Matrix<double>& of_columns) {
  const Eigen::Map<const RowMatrix> effect(of_columns.values().data(), of_columns.rows(), of_columns.cols());
  return {basis.mean, times(basis.combination, effect)};
}

void add(Matrix<double>& sum, const Matrix<double>& more) {
  if (sum.empty()) sum = Matrix<double>(more.rows(), more.cols());
  for (std::size_t i = 0; i < more.values().size(); ++i) sum.values()[i] += more.values()[i];
}

/// The view in the chosen blend: every part rotated by Q_p A_v, then averaged.
ViewModel blended_view(const Dataset& data, std::size_t at, FittedParts& fitted, const Candidate& chosen) {
  const View& view = data.views[at];
  Matrix<double> effect;  // of the covariates, d x K
  const double w = chosen.linear_weight;
  const double share = 1.0 / static_cast<double>(fitted.parts.size());
  ViewModel result;
  result.name = view.name;
  result.feature_names = view.feature_names;
  result.levels = view.levels;
  result.offset = view.values.offsets();
  if (w < 1) result.base_margin = std::move(fitted.base_margins[at]);
  for (std::size_t p = 0; p < fitted.parts.size(); ++p) {
    Part& part = fitted.parts[p];
    const MatrixXd by = chosen.alignment[p] * chosen.rotation[at];
    if (w < 1) {
      PartModel model = std::move(part.models[at]);
      model.rotation = times(model.rotation, by * ((1 - w) * share));
      result.parts.push_back(std::move(model));
      if (!data.covariates.empty()) add(effect, times(part.tree_effects[at], by * ((1 - w) * share)));
      Screening& screening = part.screenings[at];
      for (auto& kept : screening.kept) result.screening.kept.push_back(std::move(kept));
      if (p == 0) result.screening.scores = std::move(screening.scores);
    }
    if (w > 0) {
      const Matrix<double> weights = times(part.maps[at].weights, by * (w * share));
      if (result.linear.empty()) {
        result.linear = {part.maps[at].mean, Matrix<double>(weights.rows(), weights.cols()), part.maps[at].level_begin};
      }
      add(result.linear.weights, weights);
      if (!data.covariates.empty()) add(effect, times(part.linear_effects[at], by * (w * share)));
    }
  }
  if (!data.covariates.empty()) result.covariate_effect = covariate_effect(data.covariates, std::move(effect));
  return result;
}

/// The training rows embedded by the shipped model: the mean over parts of Z_p Q_p A_v.
Matrix<float> shipped_rows(const FittedParts& fitted, std::size_t view, const Candidate& chosen) {
  const Matrix<float>& first = fitted.parts[0].linear[view];
  MatrixXd sum = MatrixXd::Zero(first.rows(), first.cols());
  for (std::size_t p = 0; p < fitted.parts.size(); ++p) {
    sum += blended(fitted.parts[p], view, chosen.linear_weight) * (chosen.alignment[p] * chosen.rotation[view]);
  }
  return to_floats(to_matrix(sum / static_cast<double>(fitted.parts.size())));
}

/// Correlations of the variates of all views, over all rows.
ComponentCorrelations correlations_of_variates(const FitResult& result, const Samples& samples, Threads threads) {
  std::vector<const Matrix<float>*> together;
  for (const Matrix<float>& variates : result.variates) together.push_back(&variates);
  return in_sample_correlations(moments_of(together, Folds::all_rows(samples), threads),
                                static_cast<int>(together.size()), false);
}

/// Rows that lack a view have no variates.
void blank_absent_rows(Matrix<float>& variates, std::size_t view, const Samples& samples) {
  for (Index i = 0; i < variates.rows() && !samples.complete(); ++i) {
    if (samples.has(static_cast<Index>(view), i)) continue;
    std::fill_n(variates.row(i), variates.cols(), std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace

FitResult make_result(const Dataset& data, Trained& trained, const Folds& folds, Run& run) {
  const Threads threads = run.threads();
  FitResult result = result_of(data, trained.parameters, trained.rounds, std::move(trained.history));
  const FittedRotation rotation = fit_rotation(trained, folds, trained.parameters.rotate);
  for (Index v = 0; v < static_cast<Index>(data.views.size()); ++v) {
    const auto at = static_cast<std::size_t>(v);
    Matrix<float> embedding = trained.in_sample(v, threads);
    MatrixXd effect;
    if (!data.covariates.empty()) effect = trained.covariate_effect(v, folds, threads);
    std::optional<Matrix<float>> out_of_fold;
    if (folds.held_out) out_of_fold = trained.out_of_fold(v, folds, threads);
    ViewModel view = view_model(data.views[at], v, rotation.per_view[at], trained, folds);
    view.parts[0].mean = column_means(embedding, v, data.samples);
    if (!data.covariates.empty()) {
      subtract_effect(data.covariates.columns, effect, embedding);
      view.covariate_effect = covariate_effect(data.covariates, to_matrix(effect * rotation.per_view[at]));
    }
    result.variates.push_back(to_variates(embedding, view.parts[0], threads));
    if (out_of_fold) {
      result.out_of_fold.push_back(rotated_rows(*out_of_fold, v, rotation.by_fold, folds, threads));
    }
    result.model.views.push_back(std::move(view));
  }
  Correlations& correlations = result.model.correlations;
  const ComponentCorrelations in_sample = correlations_of_variates(result, data.samples, threads);
  correlations.in_sample = in_sample.per_component;
  correlations.pairwise = in_sample.pairwise;
  if (folds.held_out) {
    std::vector<Matrix<double>> rows;
    for (const Matrix<float>& variates : result.out_of_fold) rows.push_back(to_doubles(variates));
    set_out_of_fold(correlations, rotation.out_of_fold, standard_errors(rows, data.samples), data.samples);
  }
  return result;
}

FitResult make_result_of_table(const Dataset& data, Trained& trained, const Folds& folds, Run& run) {
  const Threads threads = run.threads();
  const Index k = trained.parameters.n_components;
  FitResult result = result_of(data, trained.parameters, trained.rounds, std::move(trained.history));
  const FittedRotation rotation = fit_rotation(trained, folds, trained.parameters.rotate);
  ViewModel view = view_model(data.views[0], 0, rotation.per_view[0], trained, folds);
  const Matrix<float> embedding = embed(view, view.parts[0], data.views[0].values, threads);
  view.parts[0].mean = column_means(embedding, 0, data.samples);
  result.variates.push_back(to_variates(embedding, view.parts[0], threads));
  result.model.views.push_back(std::move(view));
  Correlations& correlations = result.model.correlations;
  correlations.in_sample =
      in_sample_correlations(trained.copies_in_sample, 2, trained.parameters.rotate, k).per_component;
  correlations.out_of_fold = rotation.out_of_fold.per_component;
  correlations.pairwise.assign(static_cast<std::size_t>(k), 1.0);  // of the view with itself
  const auto independent = static_cast<double>(data.samples.independent());
  correlations.standard_errors = approximate_standard_errors(correlations.out_of_fold, independent);
  ComponentNumbers errors;
  errors.per_component.assign(correlations.out_of_fold.size(), 1 / std::sqrt(independent));
  set_noise_thresholds(correlations, errors, data.samples.effective_rows(), data.samples.effective());
  return result;
}

FitResult make_result_of_parts(const Dataset& data, FittedParts& fitted, const std::vector<Candidate>& candidates,
                               const Choice& choice, const Candidate& linear, Run& run) {
  const Candidate& chosen = candidates[choice.best];
  const Index rounds = chosen.linear_weight < 1 ? fitted.rounds : 0;  // linear CCA alone has no rounds
  FitResult result = result_of(data, fitted.parameters, rounds, std::move(fitted.history));
  Model& model = result.model;
  model.parameters.linear = chosen.linear_weight;
  for (std::size_t v = 0; v < data.views.size(); ++v) {
    result.variates.push_back(shipped_rows(fitted, v, chosen));
    model.views.push_back(blended_view(data, v, fitted, chosen));
  }
  Correlations& correlations = model.correlations;
  const ComponentCorrelations in_sample = correlations_of_variates(result, data.samples, run.threads());
  correlations.in_sample = in_sample.per_component;
  correlations.pairwise = in_sample.pairwise;
  correlations.candidates = {{chosen.linear_weight, {}, true}};
  if (fitted.held_out.held_out) {
    for (const Matrix<double>& rows : chosen.held_out) result.out_of_fold.push_back(to_floats(rows));
    set_out_of_fold(correlations, choice.out_of_fold, choice.standard_errors, data.samples);
    correlations.linear_out_of_fold = linear.correlations().per_component;
    correlations.candidates.clear();
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const Candidate& one = candidates[c];
      correlations.candidates.push_back({one.linear_weight, one.correlations().per_component, c == choice.best,
                                         pooled_correlations(one.plain, static_cast<int>(data.views.size())).tcc()});
    }
  }
  FitResult of_linear;  // the shipped mean of linear CCA alone
  for (std::size_t v = 0; v < data.views.size(); ++v) of_linear.variates.push_back(shipped_rows(fitted, v, linear));
  correlations.linear_in_sample = correlations_of_variates(of_linear, data.samples, run.threads()).per_component;
  return result;
}

StandardErrors out_of_fold_standard_errors(const Trained& trained, const Folds& folds, Run& run) {
  const FittedRotation rotation = fit_rotation(trained, folds, /*rotate=*/true);
  std::vector<Matrix<double>> rows;
  for (Index v = 0; v < trained.moment_views(); ++v) {
    rows.push_back(to_doubles(
        rotated_rows(trained.out_of_fold(v, folds, run.threads()), v, rotation.by_fold, folds, run.threads())));
  }
  return standard_errors(rows, *folds.samples);
}

void set_out_of_fold(Correlations& correlations, const ComponentCorrelations& out_of_fold, const StandardErrors& errors,
                     const Samples& samples) {
  correlations.out_of_fold = out_of_fold.per_component;
  correlations.pairwise = out_of_fold.pairwise;
  const std::size_t k = out_of_fold.per_component.size();
  const auto m = static_cast<Index>(std::llround(std::sqrt(static_cast<double>(out_of_fold.pairwise.size() / k))));
  // If few rows make a correlation high by chance, these rows have little influence on it, so its error is too small.
  const auto at_least_of_normal_rows = [&](std::vector<double> own, const std::vector<double>& r) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto pair = static_cast<Index>(i / k);  // of views, if it belongs to one
      const double rows = own.size() > k ? samples.shared(pair / m, pair % m).effective_rows : samples.effective_rows();
      if (own[i] > 0) own[i] = std::max(own[i], approximate_standard_errors({r[i]}, rows)[0]);
    }
    return own;
  };
  correlations.standard_errors = at_least_of_normal_rows(errors.per_component, out_of_fold.per_component);
  correlations.pairwise_standard_errors = at_least_of_normal_rows(errors.pairwise, out_of_fold.pairwise);
  set_noise_thresholds(correlations, errors.fisher, samples.effective_rows(), samples.effective());
  for (Index v = 0; v < m && !samples.complete(); ++v) {  // each pair uses the rows that have both
    for (Index w = 0; w < m; ++w) {
      if (v == w) continue;
      Correlations own;
      set_noise_thresholds(own, errors.fisher, samples.shared(v, w).effective_rows, samples.shared(v, w).effective);
      const auto begin = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(v * m + w) * k);
      std::copy_n(own.pairwise_noise_thresholds.begin() + begin, k,
                  correlations.pairwise_noise_thresholds.begin() + begin);
    }
  }
  // Thresholds rise by the same factors as the correlations of the shipped mean.
  const auto stretch = [](std::vector<double>& thresholds, const std::vector<double>& by) {
    for (std::size_t i = 0; i < by.size(); ++i) thresholds[i] = std::min(1.0, thresholds[i] * by[i]);
  };
  stretch(correlations.noise_thresholds, errors.stretch.per_component);
  stretch(correlations.pairwise_noise_thresholds, errors.stretch.pairwise);
}

void set_single_candidate(Correlations& correlations, LinearBaseline linear) {
  correlations.linear_out_of_fold = std::move(linear.out_of_fold);
  correlations.linear_in_sample = std::move(linear.in_sample);
  correlations.candidates = {{0.0, correlations.out_of_fold, true, total_correlation(correlations.out_of_fold)}};
}

void complete(FitResult& result, const Setting& setting, const Parameters& asked, const Dataset& data, Run& run) {
  for (std::vector<Matrix<float>>* variates : {&result.variates, &result.out_of_fold}) {
    for (std::size_t v = 0; v < variates->size(); ++v) blank_absent_rows((*variates)[v], v, data.samples);
  }
  result.model.asked = asked;
  result.model.asked.n_jobs = Parameters().n_jobs;  // does not affect the model
  result.model.engine_params = setting.engine_params;
  describe_training_data(result.model, data, run.threads());
  run.clock().time("loadings", [&] {
    const bool unseen = !result.out_of_fold.empty();
    std::vector<Loadings> loadings = loadings_of(
        data.views, result.model, unseen ? result.out_of_fold : result.variates, unseen, data.samples, run.threads());
    for (std::size_t v = 0; v < loadings.size(); ++v) result.model.views[v].loadings = std::move(loadings[v]);
  });
  result.warnings = run.warnings();
  for (std::string& warning : warnings_about(result, data)) result.warnings.push_back(std::move(warning));
  result.timings = run.clock().stages();
  check_model(result.model);
}

}  // namespace treecca
