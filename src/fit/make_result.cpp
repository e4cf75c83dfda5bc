#include "fit/make_result.hpp"

#include <Eigen/Core>

#include "fit/warnings.hpp"

#include "linalg/row_products.hpp"
#include "model/transform.hpp"
#include "objective/correlations.hpp"
#include "objective/rotation.hpp"
#include "support/order.hpp"

namespace treecca {
namespace {

using Eigen::MatrixXd;

/// From embeddings (W columns) to components (K), in the order of the out-of-fold correlations.
struct FittedRotation {
  std::vector<MatrixXd> per_view;              // W x K
  std::vector<std::vector<MatrixXd>> by_fold;  // [fold][view]: estimated without the fold
  ComponentCorrelations out_of_fold;           // empty without cross-fitting
};

FittedRotation fit_rotation(const Trained& trained, const Folds& folds) {
  const Index k = trained.parameters.n_components;
  const int n_views = trained.moment_views();
  const bool rotate = trained.parameters.rotate;
  FittedRotation fitted;
  fitted.per_view.assign(static_cast<std::size_t>(n_views), MatrixXd::Identity(k, k));
  if (rotate) {
    fitted.per_view = common_rotation(trained.moments.covariance(), n_views).per_view;
    for (MatrixXd& matrix : fitted.per_view) matrix = MatrixXd(matrix.leftCols(k));
  }
  if (folds.held_out) fitted.out_of_fold = trained.out_of_fold_correlations(rotate);
  fitted.by_fold.assign(static_cast<std::size_t>(folds.count), fitted.per_view);
  if (!rotate || !folds.held_out) return fitted;
  fitted.by_fold = fold_rotations(trained.moments, n_views, fitted.per_view);
  // The rotation is ordered by the moments it was fitted to; what is reported are the out-of-fold correlations.
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

/// Of an N x W embedding, over the rows of all processes.
std::vector<double> column_means(const Matrix<float>& z, const Samples& samples) {
  std::vector<double> mean(static_cast<std::size_t>(z.cols()), 0.0);
  double count = 0;
  for (Index i = 0; i < z.rows(); ++i) {
    const double weight = samples.weights().empty() ? 1.0 : samples.weights()[static_cast<std::size_t>(i)];
    for (Index k = 0; k < z.cols(); ++k) mean[static_cast<std::size_t>(k)] += weight * z(i, k);
    count += weight;
  }
  samples.peers().sum(mean);
  count = samples.peers().sum(count);
  for (double& value : mean) value /= count;
  return mean;
}

/// All of a view but its mean embedding.
ViewModel view_model(const View& view, Index number, const MatrixXd& rotation, Trained& trained, const Folds& folds) {
  const auto at = static_cast<std::size_t>(number);
  ViewModel result;
  result.name = view.name;
  result.feature_names = view.feature_names;
  result.base_margin = std::move(trained.base_margins[at]);
  result.screening = std::move(trained.screenings[at]);
  result.rotation = to_matrix(rotation);
  for (int f = 0; f < folds.count; ++f) {
    result.encoders.push_back(std::move(trained.encoders[static_cast<std::size_t>(number * folds.count + f)].trees));
  }
  return result;
}

FitResult result_of(const Dataset& data, Trained& trained) {
  FitResult result;
  result.model.parameters = trained.parameters;
  result.model.n_samples = static_cast<std::uint64_t>(data.samples.total());
  result.model.effective_samples = data.samples.effective();
  result.model.rounds = static_cast<std::uint64_t>(trained.rounds);
  result.model.history = std::move(trained.history);
  result.weights.assign(data.samples.weights().begin(), data.samples.weights().end());
  return result;
}

/// Of the variates of all views, over all rows.
ComponentCorrelations correlations_of_variates(const FitResult& result, const Samples& samples, Threads threads) {
  std::vector<const Matrix<float>*> together;
  for (const Matrix<float>& variates : result.variates) together.push_back(&variates);
  return in_sample_correlations(moments_of(together, Folds::all_rows(samples), threads),
                                static_cast<int>(together.size()), false);
}

}  // namespace

FitResult make_result(const Dataset& data, Trained& trained, const Folds& folds, Run& run) {
  const Threads threads = run.threads();
  FitResult result = result_of(data, trained);
  const FittedRotation rotation = fit_rotation(trained, folds);
  for (Index v = 0; v < static_cast<Index>(data.views.size()); ++v) {
    const auto at = static_cast<std::size_t>(v);
    const Matrix<float> embedding = trained.in_sample(v, threads);
    ViewModel view = view_model(data.views[at], v, rotation.per_view[at], trained, folds);
    view.mean = column_means(embedding, data.samples);
    result.variates.push_back(to_variates(embedding, view, threads));
    if (folds.held_out) {
      result.out_of_fold.push_back(
          rotated_rows(trained.out_of_fold(v, folds, threads), v, rotation.by_fold, folds, threads));
    }
    result.model.views.push_back(std::move(view));
  }
  Correlations& correlations = result.model.correlations;
  const ComponentCorrelations in_sample = correlations_of_variates(result, data.samples, threads);
  correlations.in_sample = in_sample.per_component;
  correlations.out_of_fold = rotation.out_of_fold.per_component;
  correlations.pairwise = folds.held_out ? rotation.out_of_fold.pairwise : in_sample.pairwise;
  return result;
}

FitResult make_result_of_table(const Dataset& data, Trained& trained, const Folds& folds, Run& run) {
  const Threads threads = run.threads();
  const Index k = trained.parameters.n_components;
  FitResult result = result_of(data, trained);
  const FittedRotation rotation = fit_rotation(trained, folds);
  ViewModel view = view_model(data.views[0], 0, rotation.per_view[0], trained, folds);
  const Matrix<float> embedding = embed(view, data.views[0].values, threads);
  view.mean = column_means(embedding, data.samples);
  result.variates.push_back(to_variates(embedding, view, threads));
  result.model.views.push_back(std::move(view));
  Correlations& correlations = result.model.correlations;
  correlations.in_sample =
      in_sample_correlations(trained.copies_in_sample, 2, trained.parameters.rotate, k).per_component;
  correlations.out_of_fold = rotation.out_of_fold.per_component;
  correlations.pairwise.assign(static_cast<std::size_t>(k), 1.0);  // of the view with itself
  return result;
}

void complete(FitResult& result, const Setting& setting, LinearBaseline linear, const Dataset& data, Run& run) {
  result.model.engine_params = setting.engine_params;
  result.model.correlations.linear_out_of_fold = std::move(linear.out_of_fold);
  result.model.correlations.linear_in_sample = std::move(linear.in_sample);
  result.warnings = run.warnings();
  for (std::string& warning : warnings_about(result, data.samples)) result.warnings.push_back(std::move(warning));
  result.timings = run.clock().stages();
  check_model(result.model);
}

}  // namespace treecca
