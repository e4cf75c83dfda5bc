#include "treecca/ssl.hpp"

#include <fmt/format.h>

#include <memory>

#include "data/dataset.hpp"
#include "fit/finished_view.hpp"
#include "fit/resolve.hpp"
#include "fit/warnings.hpp"
#include "linalg/row_products.hpp"
#include "linear/cca.hpp"
#include "model/embed.hpp"
#include "model/variates.hpp"
#include "objective/correlations.hpp"
#include "objective/rotation.hpp"
#include "support/order.hpp"
#include "support/parallel.hpp"
#include "train/augment.hpp"
#include "train/ssl_trainer.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

void check_single_encoder(const Parameters& parameters) {
  if (parameters.early_stopping_rounds > 0) {
    throw UsageError("early_stopping_rounds is not for learning from one table: its copies differ in every round.");
  }
  if (parameters.screens()) {
    throw UsageError("screen must be none: with one table there are no features of another view to depend on.");
  }
  if (parameters.schedule == Schedule::gauss_seidel) {
    throw UsageError("schedule must be jacobi: with one shared encoder there is no view to update first.");
  }
}

AugmentFunction augment_function(const View& view, const Parameters& parameters, const SslOptions& options,
                                 Threads threads) {
  if (options.augment) return options.augment;
  const auto augmenter =
      std::make_shared<Augmenter>(view.values, options.augmentation, parameters.random_state, threads);
  return [augmenter](Index round, int copy, Matrix<float>& out) { augmenter->draw(round, copy, out); };
}

/// Rotation, variates and correlations of the trained encoders.
void finish_ssl(SslTrainer& trainer, const View& view, Threads threads, FitResult& result) {
  Model& model = result.model;
  const Index k = model.parameters.n_components;
  const Folds& folds = trainer.folds();
  const bool rotate = model.parameters.rotate;
  model.correlations.in_sample = in_sample_correlations(trainer.in_sample_moments(), 2, rotate, k).per_component;
  Eigen::MatrixXd rotation = Eigen::MatrixXd::Identity(k, k);
  if (rotate) rotation = common_rotation(trainer.moments().covariance(), 2).per_view[0].leftCols(k);
  if (folds.held_out) {
    const ComponentCorrelations honest = out_of_fold_correlations(trainer.moments(), 2, rotate, k);
    const std::vector<Index> order = rotate ? descending_order(honest.per_component) : std::vector<Index>{};
    model.correlations.out_of_fold = rotate ? honest.in_order(order).per_component : honest.per_component;
    if (rotate) rotation = Eigen::MatrixXd(rotation(Eigen::all, order));
  }
  model.correlations.pairwise.assign(static_cast<std::size_t>(k), 1.0);
  ViewModel encoded;
  encoded.name = view.name;
  encoded.feature_names = view.feature_names;
  for (int f = 0; f < folds.count; ++f) encoded.encoders.push_back(std::move(trainer.encoder(f).trees));
  encoded.rotation = to_matrix(rotation);
  const Matrix<float> clean = embed(encoded, view.values, threads);
  encoded.mean = column_means(clean);
  result.variates.push_back(to_variates(clean, encoded, threads));
  model.views.push_back(std::move(encoded));
}

}  // namespace

Parameters ssl_parameters(Preset preset) {
  Parameters parameters = Parameters::of_preset(preset);
  parameters.init = Init::random_orthogonal;
  parameters.cross_fit = 0;
  parameters.trees = Trees::scalar;
  if (preset == Preset::paper) {
    parameters.n_estimators = 1500;
  } else {
    parameters.max_depth = 7;
    parameters.min_child_weight = 20;
    parameters.n_oversamples = 5;  // what survives is often many functions alike; see docs/defaults.md
  }
  return parameters;
}

FitResult fit_ssl(const View& given_view, const Parameters& given_parameters, const SslOptions& options) {
  check_single_encoder(given_parameters);
  const View view = checked_view(given_view);
  if (!options.groups.empty() && static_cast<Index>(options.groups.size()) != view.values.rows()) {
    throw DataError(
        fmt::format("There are {} group labels for {} samples.", options.groups.size(), view.values.rows()));
  }
  FitResult result;
  Model& model = result.model;
  model.parameters = resolved(given_parameters, {view});
  const Parameters& parameters = model.parameters;
  model.engine_params = options.engine_params;
  model.n_samples = static_cast<std::uint64_t>(view.values.rows());
  model.effective_samples = effective_samples({}, options.groups, view.values.rows());
  const Threads threads(thread_count(parameters.n_jobs), options.stop);
  StageClock clock;
  clock.time("bin", [&] { check_varies(BinnedView(view, parameters.max_bin.at(0), threads), view.name); });
  SslTrainer trainer(view, parameters, options, augment_function(view, parameters, options, threads), threads, clock);
  trainer.run();
  model.rounds = static_cast<std::uint64_t>(trainer.rounds());
  model.history = trainer.history();
  clock.time("linear", [&] {
    const Folds& folds = trainer.folds();
    const LinearBaseline linear = linear_baseline({trainer.copy(0), trainer.copy(1)}, parameters.n_components,
                                                  folds.held_out ? folds.of_row : std::vector<int>{},
                                                  folds.held_out ? folds.count : 0, parameters.random_state, threads);
    model.correlations.linear_out_of_fold = linear.out_of_fold;
    model.correlations.linear_in_sample = linear.in_sample;
  });
  clock.time("rotate", [&] { finish_ssl(trainer, view, threads, result); });
  result.warnings = warnings_about(result);
  result.timings = clock.stages();
  check_model(model);  // what has been fitted can be kept
  return result;
}

}  // namespace treecca
