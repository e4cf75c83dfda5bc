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
  if (!(parameters.leaf_sweeps == 0) && !can_sweep_leaves(parameters)) {
    throw UsageError(
        "leaf_sweeps needs engine=native and objective=whitened. Set leaf_sweeps to 0, or these two parameters.");
  }
  for (const View& view : data.views) {
    if (view.levels.empty() || parameters.engine == EngineKind::native) continue;
    const auto found = std::find_if(view.levels.begin(), view.levels.end(), [](const auto& of) { return !of.empty(); });
    throw UsageError(fmt::format(
        "View \"{}\", feature \"{}\": engine={} does not split categories here. Use engine=native, or give the feature "
        "as indicators.",
        view.name, view.feature_names[static_cast<std::size_t>(found - view.levels.begin())],
        EnumNames<EngineKind>::value[static_cast<std::size_t>(parameters.engine)]));
  }
  // Sums of fixed-point gradients have 31 bits (joint trees) or 63 bits (scalar trees, together with the counts). More
  // rows leave fewer bits for each gradient.
  const Index most = parameters.trees == Trees::joint ? Index{1} << 25 : Index{1} << 27;
  if (parameters.engine == EngineKind::native && data.samples.total() > most) {
    throw UsageError(fmt::format(
        "{} rows are too many for the native engine with {} trees, whose sums are exact up to {} rows. Use {}, or "
        "fit a sample of the rows.",
        data.samples.total(), parameters.trees == Trees::joint ? "joint" : "scalar", most,
        parameters.trees == Trees::joint ? "trees=scalar or engine=xgboost" : "engine=xgboost"));
  }
}

void check_peers(const Setting& setting, const Dataset& data) {
  const Parameters& parameters = setting.parameters;
  const Peers& peers = data.samples.peers();
  if (peers.alone()) return;
  if (parameters.engine == EngineKind::lightgbm) {
    throw UsageError("engine=lightgbm cannot be used over several processes. Use native or xgboost.");
  }
  if (parameters.screens()) {
    throw UsageError(
        "screen looks at all rows of a feature at once and cannot be used over several processes. Screen a sample of "
        "the rows first, and fit the features it keeps.");
  }
  std::string given;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (declaration.affects_model) given += to_text(parameters, declaration.name) + '\n';
  });
  for (const auto& [name, value] : setting.engine_params) given += name + '=' + value + '\n';
  peers.check_same(given, "parameters");
}

namespace {

/// Rules for "auto" values, from the number of samples N and of components K. Measured: docs/defaults.md.
struct Rules {
  const Parameters& asked;
  const Samples& samples;
  Index n = samples.learned();
  Index k = asked.n_components;

  bool large() const { return k >= 5 && n >= 1000; }              // larger trees are better
  bool many_components() const { return k >= 20 && n >= 10000; }  // much larger trees are better
  bool few_groups() const { return too_few_groups_for_parts(samples); }
  bool native_joint() const { return asked.engine == EngineKind::native && asked.trees == Trees::joint; }

  Index n_repeats() const {
    if (asked.cross_fit == 0 || few_groups() || n >= kRowsForOnePart) return 0;
    return n < 200 ? 3 : n < 1000 ? 2 : 1;
  }
  Index max_depth() const { return many_components() ? 8 : large() ? 6 : n < 200 ? 3 : 4; }
  double min_child_weight() const {
    const auto rows = static_cast<double>(n);
    if (!asked.max_depth.is_auto() || !large()) return std::clamp(rows / 50, 3.0, 10.0);
    return many_components() ? 30.0 : std::clamp(rows / 67, 10.0, 60.0);
  }
  Index sketch(Index trained) const {
    if (!native_joint() || trained <= 7) return 0;
    return k >= 20 ? 15 : 7;
  }
  /// One fit to all samples chooses K of W components on rows that its own targets used, which is biased. Parts, or
  /// many samples, avoid this bias.
  Index n_oversamples(Index repeats) const {
    if (!asked.rotate || (repeats == 0 && !many_components())) return 0;
    if (k >= 20) return k / 4;
    return 2;
  }
};

/// Replaces "auto" by the value of `rule`.
template <class Value, class Rule>
void settle(Value& value, Rule&& rule) {
  if (value.is_auto()) value = rule();
}

}  // namespace

Parameters resolve(const Parameters& asked, const Dataset& data) {
  validate(asked, static_cast<Index>(data.views.size()));
  const Index n_samples = data.samples.least_shared();
  if (2 * asked.n_components > n_samples) {
    throw UsageError(fmt::format(
        "n_components = {} is too many for {} samples{}: with fewer than two samples per component "
        "any views correlate. Ask for at most {}.",
        asked.n_components, n_samples, data.samples.complete() ? "" : " that two views share", n_samples / 2));
  }
  if (!asked.n_oversamples.is_auto() && asked.n_oversamples > 0 && !asked.rotate) {
    throw UsageError(
        "n_oversamples needs rotate: the rotation chooses the components to keep. Set n_oversamples to 0, "
        "or rotate to true.");
  }
  const Index most_oversamples = n_samples / 2 - asked.n_components;
  const bool oversamples_given = !asked.n_oversamples.is_auto() && data.views.size() > 1;  // one table: by its preset
  if (oversamples_given && asked.n_oversamples > most_oversamples) {
    throw UsageError(fmt::format(
        "n_oversamples = {} is too many for {} samples and {} components: at least two samples are needed for each "
        "component that is trained. Ask for at most {}.",
        to_text(asked, "n_oversamples"), n_samples, asked.n_components, most_oversamples));
  }
  const Rules rules{asked, data.samples};
  Parameters result = asked;
  settle(result.n_repeats, [&] { return rules.n_repeats(); });
  if (result.n_repeats > 0 && rules.few_groups()) {
    throw UsageError(fmt::format("n_repeats needs at least 4 groups; there are {}.{}", data.samples.independent(),
                                 data.samples.independent() == 3 ? " Set n_repeats to 0." : ""));
  }
  settle(result.cross_fit, [] { return Index{3}; });
  if (result.cross_fit == 0 || rules.few_groups()) settle(result.linear, [] { return 0.0; });
  settle(result.learning_rate, [&] { return rules.many_components() ? 0.2 : 0.1; });
  settle(result.max_depth, [&] { return rules.max_depth(); });
  settle(result.min_child_weight, [&] { return rules.min_child_weight(); });
  settle(result.n_oversamples, [&] { return rules.n_oversamples(result.n_repeats); });
  result.n_oversamples = std::min<Index>(result.n_oversamples, most_oversamples);
  // Whether rounds and sweeps may be chosen by the out-of-fold TCC. In one fit to few samples this choice would bias
  // the TCC.
  const bool watches = result.cross_fit > 0 && (result.n_repeats > 0 || n_samples >= kRowsForOnePart);
  if (result.n_estimators.is_auto()) {
    result.n_estimators = watches ? kMaxAutoRounds : Index{150};
    if (watches && result.early_stopping_rounds == 0) result.early_stopping_rounds = kAutoPatience;
  }
  settle(result.sketch, [&] { return rules.sketch(result.trained_components()); });
  // Sweeps are chosen by the out-of-fold TCC; for few components they do not help.
  if (!can_sweep_leaves(result) || !watches || !rules.native_joint() || result.trained_components() <= 7) {
    settle(result.leaf_sweeps, [] { return Index{0}; });
  }
  if (!data.samples.peers().alone()) settle(result.screen, [] { return Index{0}; });
  if (result.colsample_bytree.is_auto() && !result.screens()) {
    for (const View& view : data.views) result.colsample_bytree.values.push_back(automatic_share(view.values.cols()));
  }
  return result;
}

}  // namespace treecca
