#include "treecca/fit.hpp"

#include <optional>

#include "data/columns.hpp"
#include "data/view_warnings.hpp"
#include "fit/candidate.hpp"
#include "fit/choose.hpp"
#include "fit/make_result.hpp"
#include "fit/part.hpp"
#include "fit/resolve.hpp"
#include "linear/cca.hpp"
#include "support/random.hpp"
#include "train/train.hpp"

namespace treecca {
namespace {

/// Linear CCA on the same folds, of the same features as the trees.
LinearBaseline linear_baseline_of(const Dataset& data, const Trained& trained, const Folds& folds, Threads threads) {
  const SelectedColumns columns = selected_columns(data.views, trained.features, folds.count);
  return linear_baseline(columns.of_any_fold, folds, trained.parameters.n_components, trained.parameters.random_state,
                         threads, columns.by_fold, covariates_of(data));
}

/// Linear CCA on the same folds without adjustment: shows how much of the correlation the covariates explain.
std::vector<double> unadjusted_linear_cca(const Dataset& data, const Parameters& parameters, const Folds& folds,
                                          Threads threads) {
  if (data.covariates.empty() || !folds.held_out) return {};
  const std::vector<Design> designs = designs_of(data.views);
  return linear_baseline(matrices_of(designs), folds, parameters.n_components, parameters.random_state, threads)
      .out_of_fold;
}

/// A fingerprint of a model, for comparison with other processes.
std::string fingerprint(const Model& model) {
  const std::string bytes = serialize_model(model, ModelFormat::ubjson);
  std::uint64_t hash = 0;
  for (const char byte : bytes) hash = mix_bits(hash ^ static_cast<unsigned char>(byte));
  return std::to_string(hash);
}

/// One cross-fit of trees; linear CCA is only computed for comparison.
FitResult fit_once(const Dataset& data, TrainingData& shared, const Setting& setting, const Folds& folds, Run& run) {
  Trained trained = train(shared, setting, folds, run);
  LinearBaseline linear;
  run.clock().time("linear", [&] { linear = linear_baseline_of(data, trained, folds, run.threads()); });
  FitResult result;
  run.clock().time("rotate", [&] {
    result = make_result(data, trained, folds, run);
    set_single_candidate(result.model.correlations, std::move(linear));
    result.model.correlations.linear_unadjusted = unadjusted_linear_cca(data, setting.parameters, folds, run.threads());
  });
  return result;
}

/// Fits parts and several blends with linear CCA, and keeps the best blend.
FitResult fit_blend(const Dataset& data, TrainingData& shared, const Setting& setting, const std::vector<Folds>& splits,
                    Run& run) {
  std::optional<LinearViews> views;
  run.clock().time("linear", [&] {
    views.emplace(matrices_of(shared.designs()), data.samples, setting.parameters.random_state, run.threads(),
                  covariates_of(data));
  });
  FittedParts fitted = fit_parts(shared, *views, setting, splits, run);
  FitResult result;
  run.clock().time("rotate", [&] {
    const Blends blends(fitted, setting.parameters, data.samples);
    const Choice choice = choose(blends.candidates, data.samples);
    result = make_result_of_parts(data, fitted, blends.candidates, choice, blends.linear_cca(), run);
    const Folds folds = Folds::assigned(data.samples, fitted.held_out.parts_per_repeat(), fitted.held_out.held_out,
                                        fitted.held_out.part_of_row[0]);
    result.model.correlations.linear_unadjusted = unadjusted_linear_cca(data, setting.parameters, folds, run.threads());
  });
  return result;
}

}  // namespace

FitResult fit(const std::vector<View>& given, const Parameters& asked, const FitOptions& options) {
  // 1. Check everything that can be checked before any work.
  const Dataset data = check_dataset(given, options);
  const Setting setting{resolve(asked, data), options.engine_params};
  const std::vector<Folds> splits = make_splits(data.samples, setting.parameters);
  check_engine(setting, data);
  check_peers(setting, data);
  // 2. Train, rotate, compare with linear CCA.
  Run run(options, asked.n_jobs);
  run.warn(view_warnings(data));
  TrainingData shared(data);
  FitResult result = is_single_fit(setting.parameters) ? fit_once(data, shared, setting, splits[0], run)
                                                       : fit_blend(data, shared, setting, splits, run);
  // 3. Add names and warnings, check the model.
  complete(result, setting, asked, data, run);
  const Peers& peers = data.samples.peers();
  if (!peers.alone()) peers.check_same(fingerprint(result.model), "trees at the end of the fit");
  return result;
}

}  // namespace treecca
