#include "train/train.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "engines/make_engine.hpp"
#include "screen/choose.hpp"
#include "train/align.hpp"
#include "train/trainer.hpp"

namespace treecca {
namespace {

/// Number of features that the trees of a view choose from, mean over the folds.
Index features_seen(const View& view, const std::vector<FeatureSet>& kept) {
  if (kept.empty()) return view.values.cols();
  std::size_t sum = 0;
  for (const FeatureSet& features : kept) sum += features.size();
  return static_cast<Index>((sum + kept.size() / 2) / kept.size());
}

/// Replaces "auto" values that depend on the features that screening kept.
Parameters after_screening(Parameters parameters, const std::vector<View>& views, const FeatureSets& features) {
  if (!parameters.colsample_bytree.is_auto()) return parameters;
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    const View& view = views[static_cast<std::size_t>(v)];
    parameters.colsample_bytree.values.push_back(automatic_share(features_seen(view, features.of_view(v))));
  }
  return parameters;
}

/// Number of threads for the histograms of a round.
Threads worthwhile_threads(const std::vector<View>& views, const Parameters& parameters, const FeatureSets& features,
                           Threads threads) {
  constexpr double kMaxOperations = 1e15;  // enough to use all threads
  double updates = 0;
  for (Index v = 0; v < static_cast<Index>(views.size()); ++v) {
    const View& view = views[static_cast<std::size_t>(v)];
    updates += static_cast<double>(view.values.rows()) * static_cast<double>(features_seen(view, features.of_view(v))) *
               parameters.colsample_bytree.at(v) * static_cast<double>(parameters.max_depth.at(v));
  }
  updates *= static_cast<double>(parameters.trees_per_round() * std::max<Index>(1, parameters.cross_fit));
  return threads.for_work(static_cast<Index>(std::min(updates, kMaxOperations)));
}

Start start_of(TrainingData& data, Index view, const Parameters& parameters, const FeatureSets& features,
               const Folds& folds, Threads threads) {
  const View& own = data.views()[static_cast<std::size_t>(view)];
  const std::vector<FeatureSet>& kept = features.of_view(view);
  const bool all = std::all_of(kept.begin(), kept.end(), [&](const FeatureSet& set) {
    return static_cast<Index>(set.size()) == own.values.cols();
  });
  // A base margin is one function for all rows and uses all features.
  if (all || parameters.init_fade == 0) return data.start(view, parameters, threads);
  return screened_start_values(own, view, kept, folds, parameters, threads);
}

std::vector<Matrix<float>> initial_values(TrainingData& data, const Folds& folds, std::uint64_t seed, Threads threads,
                                          Trained& trained) {
  Parameters parameters = trained.parameters;
  parameters.random_state = seed;
  std::vector<Matrix<float>> values;
  for (Index v = 0; v < static_cast<Index>(data.views().size()); ++v) {
    Start start = start_of(data, v, parameters, trained.features, folds, threads);
    values.push_back(std::move(start.values));
    trained.base_margins.push_back(parameters.init_fade == 0 ? std::move(start.map) : LinearMap{});
  }
  if (parameters.init_fade > 0) {
    std::vector<Matrix<float>*> together;
    for (Matrix<float>& own : values) together.push_back(&own);
    reflect_opposed(together, folds);
  }
  return values;
}

/// The initial values of a table belong to its rows and are not part of the model.
std::vector<Matrix<float>> initial_values_of_table(TrainingData& data, Threads threads, Trained& trained) {
  const Parameters& parameters = trained.parameters;
  trained.base_margins.emplace_back();
  if (parameters.init == Init::random_orthogonal) return {random_start_values(data.samples().here(), parameters)};
  return {data.start(0, parameters, threads).values};
}

/// The parameters that the shared inputs of parts depend on.
Parameters shared_parameters(const Setting& setting) {
  Parameters parameters = setting.parameters;
  if (setting.shared_seed) parameters.random_state = *setting.shared_seed;
  return parameters;
}

}  // namespace

double automatic_share(Index features) { return std::clamp(100.0 / static_cast<double>(features), 0.1, 0.8); }

void prepare(TrainingData& data, const Setting& setting, Run& run) {
  const Parameters sharing = shared_parameters(setting);
  run.clock().time("bin", [&] { data.bins(sharing, run.threads()); });
  if (sharing.screens()) run.clock().time("screen", [&] { data.screen_basis(sharing, run.threads()); });
  run.clock().time("start", [&] {
    for (Index v = 0; v < static_cast<Index>(data.views().size()); ++v) data.start(v, sharing, run.threads());
  });
}

Trained train(TrainingData& data, const Setting& setting, const Folds& folds, Run& run, const Redraw* redraw) {
  const std::vector<View>& views = data.views();
  StageClock& clock = run.clock();
  const Parameters sharing = shared_parameters(setting);
  const FeatureSets all_features(static_cast<Index>(views.size()));
  const Threads preparing =
      worthwhile_threads(views, after_screening(setting.parameters, views, all_features), all_features, run.threads());
  const std::vector<BinnedView>* bins = nullptr;
  clock.time("bin", [&] { bins = &data.bins(setting.parameters, preparing); });

  Trained trained;
  trained.screenings.resize(views.size());
  if (setting.parameters.screens()) {
    clock.time("screen", [&] {
      const ScreenBasis& basis = data.screen_basis(sharing, preparing);
      trained.screenings = screened_features(*bins, basis, setting.parameters, folds, preparing);
    });
  }
  trained.features = FeatureSets(trained.screenings);
  trained.parameters = after_screening(setting.parameters, views, trained.features);
  const Parameters& parameters = trained.parameters;

  const Threads threads = worthwhile_threads(views, parameters, trained.features, run.threads());
  std::optional<AugmentedCopies> copies;
  if (redraw != nullptr) copies.emplace(views[0], *redraw, parameters.max_bin.at(0), folds, run.threads(), clock);
  const std::unique_ptr<Engine> engine = make_engine(
      {copies ? copies->learned() : views, copies ? copies->bins() : *bins, parameters,
       copies ? copies->learned_folds() : folds, trained.features, setting.engine_params, threads, copies.has_value()});
  std::vector<Matrix<float>> starts;
  clock.time("start", [&] {
    starts = copies ? initial_values_of_table(data, run.threads(), trained)
                    : initial_values(data, folds, sharing.random_state, threads, trained);
  });
  Trainer(parameters, std::move(starts), folds, *engine, run, setting.curves, copies ? &*copies : nullptr,
          data.covariates())
      .run(trained);
  trained.parameters.leaf_sweeps = trained.leaf_sweeps;
  return trained;
}

}  // namespace treecca
