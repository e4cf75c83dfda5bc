#include "fit/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "treecca/error.hpp"

namespace treecca {
namespace {

bool can_sweep_leaves(const Parameters& parameters) {
  return parameters.engine == EngineKind::native && parameters.objective == Objective::whitened;
}

}  // namespace

void check_engine(const Setting& setting, const Dataset& data) {
  const Parameters& parameters = setting.parameters;
  if (parameters.engine == EngineKind::native && !setting.engine_params.empty()) {
    throw UsageError("engine_params are for other libraries: set engine to xgboost or lightgbm.");
  }
  if (parameters.sketch > 0 && (parameters.engine != EngineKind::native || parameters.trees != Trees::joint)) {
    throw UsageError(
        "sketch is for joint trees of the native engine. Set sketch to 0, or trees to joint and engine to native.");
  }
  if (parameters.leaf_sweeps != 0 && !can_sweep_leaves(parameters)) {
    throw UsageError(
        "leaf_sweeps needs engine=native and objective=whitened. Set leaf_sweeps to 0, or these two parameters.");
  }
  const Peers& peers = data.samples.peers();
  if (peers.alone()) return;
  if (parameters.engine == EngineKind::lightgbm) {
    throw UsageError("engine=lightgbm cannot be used over several processes. Use native or xgboost.");
  }
  if (parameters.screens()) {
    throw UsageError(
        "screen looks at all rows of a feature at once and cannot be used over several processes. Screen a sample of "
        "the "
        "rows first, and fit the features it keeps.");
  }
  // Fixed-point gradients share 31 bits (joint trees) or 63 (scalar ones, beside the counts) with the number of rows.
  const Index most = parameters.trees == Trees::joint ? Index{1} << 25 : Index{1} << 27;
  if (parameters.engine == EngineKind::native && data.samples.total() > most) {
    throw UsageError(fmt::format(
        "{} rows are too many for the native engine with {} trees, whose sums are exact up to {} rows. Use {}, or "
        "fit a sample of the rows.",
        data.samples.total(), parameters.trees == Trees::joint ? "joint" : "scalar", most,
        parameters.trees == Trees::joint ? "trees=scalar or engine=xgboost" : "engine=xgboost"));
  }
  std::string columns;
  for (const View& view : data.views) {
    columns += view.name + '\n';
    for (const std::string& name : view.feature_names) columns += name + '\t';
  }
  peers.check_same(columns, "views or columns");
  std::string given;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (declaration.affects_model) given += to_text(parameters, declaration.name) + '\n';
  });
  for (const auto& [name, value] : setting.engine_params) given += name + '=' + value + '\n';
  peers.check_same(given, "parameters");
}

Parameters resolve(const Parameters& asked, const Dataset& data) {
  validate(asked, static_cast<Index>(data.views.size()));
  const Index n_samples = data.samples.total();
  if (2 * asked.n_components > n_samples) {
    throw UsageError(
        fmt::format("n_components = {} is too many for {} samples: with fewer than two samples per component "
                    "any views correlate. Ask for at most {}.",
                    asked.n_components, n_samples, n_samples / 2));
  }
  if (asked.n_oversamples > 0 && !asked.rotate) {
    throw UsageError(
        "n_oversamples needs rotate: it is the rotation that tells which components to keep. Set n_oversamples to 0, "
        "or rotate to true.");
  }
  Parameters result = asked;
  result.n_oversamples = std::min(asked.n_oversamples, n_samples / 2 - asked.n_components);
  const auto n_rows = static_cast<double>(n_samples);
  // Without folds there is no TCC to stop by: the in-sample one always rises.
  if (result.leaf_sweeps < 0 && (!can_sweep_leaves(result) || result.cross_fit == 0)) result.leaf_sweeps = 0;
  if (result.min_child_weight.is_auto()) result.min_child_weight = std::clamp(n_rows / 50, 3.0, 10.0);
  if (result.colsample_bytree.is_auto() && !result.screens()) {
    for (const View& view : data.views) result.colsample_bytree.values.push_back(automatic_share(view.values.cols()));
  }
  return result;
}

}  // namespace treecca
