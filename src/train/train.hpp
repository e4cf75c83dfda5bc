// Trains one setting on one set of folds: screening, initial values, engine, boosting rounds.
#pragma once

#include <optional>

#include "samples/folds.hpp"
#include "support/run.hpp"
#include "train/augmented_copies.hpp"
#include "train/trained.hpp"
#include "train/training_data.hpp"
#include "treecca/engines.hpp"
#include "treecca/parameters.hpp"

namespace treecca {

/// The settings of a training.
struct Setting {
  Parameters parameters;       // linear, colsample_bytree, leaf_sweeps and screen may still be "auto"
  EngineParams engine_params;  // for XGBoost or LightGBM
  /// Seed of steps that use single views (initial values, permuted rows) if parts share it; else random_state.
  std::optional<std::uint64_t> shared_seed = std::nullopt;
  Curves curves = Curves::all;
};

/// Trains every view's encoders on the folds. Independent of other trainings on the same data: several may run
/// concurrently, each with its own Run (see TrainingData). redraw: null for two or more views; else the only view is a
/// table whose two augmented copies act as two views. Failure: as TrainingData and the engines; Interrupted.
Trained train(TrainingData& data, const Setting& setting, const Folds& folds, Run& run, const Redraw* redraw = nullptr);

/// Fills the caches of `data` for trainings with this setting, on all threads, before several trainings share it.
void prepare(TrainingData& data, const Setting& setting, Run& run);

/// The value of colsample_bytree = auto for a view with this number of features.
double automatic_share(Index features);

}  // namespace treecca
