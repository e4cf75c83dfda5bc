#include "treecca/ssl.hpp"

#include <memory>

#include "data/view_warnings.hpp"
#include "fit/make_result.hpp"
#include "fit/resolve.hpp"
#include "linear/cca.hpp"
#include "train/augment.hpp"
#include "train/train.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

void check_single_encoder(const Parameters& parameters, const SslOptions& options) {
  if (!options.sample_weight.empty()) {
    throw UsageError("Learning from one table does not support sample_weight.");
  }
  if (options.communicator != nullptr) {
    throw UsageError("Learning from one table works in one process only. Use a sample of the rows.");
  }
  if (parameters.early_stopping_rounds > 0) {
    throw UsageError(
        "Learning from one table does not support early_stopping_rounds, because the copies differ in every round.");
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
  if (options.augment && !view.levels.empty()) {
    throw UsageError("A custom augmentation does not support categories. Give them as indicators.");
  }
  if (options.augment) return options.augment;
  const auto augmenter =
      std::make_shared<Augmenter>(view.values, options.augmentation, parameters.random_state, threads, view.levels);
  return [augmenter](Index round, int copy, Matrix<float>& out) { augmenter->draw(round, copy, out); };
}

}  // namespace

Parameters ssl_parameters(Preset preset) {
  Parameters parameters = Parameters::of_preset(preset == Preset::paper ? preset : Preset::plain);
  parameters.init = Init::random_orthogonal;
  parameters.cross_fit = 0;
  parameters.trees = Trees::scalar;
  if (preset == Preset::paper) {
    parameters.n_estimators = 1500;
  } else {
    parameters.max_depth = 7;
    parameters.min_child_weight = 20;
    parameters.n_oversamples = 5;  // augmentation often leaves several similar functions; see docs/defaults.md
  }
  return parameters;
}

SslRows ssl_rows(Preset preset) { return preset == Preset::paper ? SslRows::symmetrised : SslRows::stacked; }

FitResult fit_ssl(const View& given, const Parameters& asked, const SslOptions& options) {
  check_single_encoder(asked, options);
  if (!options.covariates.empty()) throw UsageError("Covariates need two or more views.");
  const Dataset data = check_dataset({given}, options, /*min_views=*/1);
  const Setting setting{resolve(asked, data), options.engine_params};
  const Folds folds = make_folds(data.samples, setting.parameters.cross_fit, setting.parameters.random_state);
  check_engine(setting, data);
  Run run(options, asked.n_jobs);
  run.warn(view_warnings(data));
  const View& view = data.views[0];
  const Redraw redraw{augment_function(view, setting.parameters, options, run.threads()), options.rows};
  TrainingData shared(data);
  Trained trained = train(shared, setting, folds, run, &redraw);
  LinearBaseline linear;
  run.clock().time("linear", [&] {
    const Index n = view.values.rows();
    const Index p = view.values.cols();
    const std::vector<MatrixView> copies{{trained.copies.row(0), n, p}, {trained.copies.row(n), n, p}};
    linear = linear_baseline(copies, folds, asked.n_components, asked.random_state, run.threads());
  });
  FitResult result;
  run.clock().time("rotate", [&] {
    result = make_result_of_table(data, trained, folds, run);
    set_single_candidate(result.model.correlations, std::move(linear));
  });
  complete(result, setting, asked, data, run);
  return result;
}

}  // namespace treecca
