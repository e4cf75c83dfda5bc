#include "boost/resolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "treecca/error.hpp"

namespace treecca {
namespace {

void check_names(const View& view) {
  if (static_cast<Index>(view.feature_names.size()) != view.values.cols()) {
    throw DataError(fmt::format("View \"{}\" has {} columns but {} feature names.", view.name, view.values.cols(),
                                view.feature_names.size()));
  }
  std::set<std::string> seen;
  for (const std::string& name : view.feature_names) {
    if (name.empty()) {
      throw DataError(fmt::format("View \"{}\" has a feature without a name (number {}). Name it, or none of them.",
                                  view.name, seen.size() + 1));
    }
    if (!seen.insert(name).second) {
      throw DataError(fmt::format("View \"{}\" has two features called \"{}\". Rename one of them.", view.name, name));
    }
  }
}

}  // namespace

View checked_view(const View& view, Index total_rows) {
  View result = view;
  if (view.name.empty()) throw DataError("A view needs a name; one is empty.");
  if (view.values.cols() == 0) throw DataError(fmt::format("View \"{}\" has no features.", view.name));
  if (view.feature_names.empty()) {
    for (Index j = 0; j < view.values.cols(); ++j) result.feature_names.push_back(fmt::format("f{}", j));
  }
  check_names(result);
  if (total_rows < kLeastRows) {
    throw DataError(fmt::format("There are {} samples; at least {} are needed.", total_rows, kLeastRows));
  }
  return result;
}

void check_varies(const BinnedView& bins, const std::string& name) {
  if (!bins.is_constant()) return;
  throw DataError(fmt::format(
      "View \"{}\" is constant: none of its {} features varies in single precision, so nothing can correlate "
      "with it. Leave it out, or subtract a large offset or rescale tiny values first.",
      name, bins.features()));
}

namespace {

/// grouped: whether any process has groups.
std::vector<View> views_checked_here(const std::vector<View>& views, const FitOptions& options, bool grouped,
                                     Index total_rows) {
  if (views.size() < 2) {
    throw DataError(fmt::format("Canonical correlation needs at least two views; {} given.", views.size()));
  }
  std::vector<View> result;
  std::set<std::string> names;
  const Index n_rows = views[0].values.rows();
  for (const View& view : views) {
    if (view.name.empty() || !names.insert(view.name).second) {
      throw DataError(fmt::format("Every view needs a name of its own; \"{}\" is empty or used twice.", view.name));
    }
    if (view.values.rows() != n_rows) {
      throw DataError(fmt::format("View \"{}\" has {} rows but view \"{}\" has {}. Views must hold the same samples.",
                                  view.name, view.values.rows(), views[0].name, n_rows));
    }
    result.push_back(checked_view(view, total_rows));
  }
  if (grouped && static_cast<Index>(options.groups.size()) != n_rows) {
    throw DataError(fmt::format("There are {} group labels for {} samples.", options.groups.size(), n_rows));
  }
  return result;
}

}  // namespace

std::vector<View> checked_views(const std::vector<View>& views, const FitOptions& options, const Shard& shard) {
  std::vector<View> result;
  const bool grouped = shard.peers().max(options.groups.empty() ? 0.0 : 1.0) > 0;
  shard.peers().agree([&] { result = views_checked_here(views, options, grouped, shard.total()); });
  return result;
}

void check_distributed(const std::vector<View>& views, const Parameters& parameters, const FitOptions& options,
                       const Shard& shard) {
  const Peers& peers = shard.peers();
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
  if (parameters.engine == EngineKind::native && shard.total() > most) {
    throw UsageError(fmt::format(
        "{} rows are too many for the native engine with {} trees, whose sums are exact up to {} rows. Use {}, or "
        "fit a sample of the rows.",
        shard.total(), parameters.trees == Trees::joint ? "joint" : "scalar", most,
        parameters.trees == Trees::joint ? "trees=scalar or engine=xgboost" : "engine=xgboost"));
  }
  std::string columns;
  for (const View& view : views) {
    columns += view.name + '\n';
    for (const std::string& name : view.feature_names) columns += name + '\t';
  }
  peers.check_same(columns, "views or columns");
  std::string given;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (declaration.affects_model) given += to_text(parameters, declaration.name) + '\n';
  });
  for (const auto& [name, value] : options.engine_params) given += name + '=' + value + '\n';
  peers.check_same(given, "parameters");
}

double automatic_share(Index features) { return std::clamp(100.0 / static_cast<double>(features), 0.1, 0.8); }

Parameters resolved(const Parameters& parameters, const std::vector<View>& views, const Shard& shard) {
  validate(parameters, static_cast<Index>(views.size()));
  const Index n_samples = shard.total();
  if (2 * parameters.n_components > n_samples) {
    throw UsageError(
        fmt::format("n_components = {} is too many for {} samples: with fewer than two samples per component "
                    "any views correlate. Ask for at most {}.",
                    parameters.n_components, n_samples, n_samples / 2));
  }
  if (parameters.n_oversamples > 0 && !parameters.rotate) {
    throw UsageError(
        "n_oversamples needs rotate: it is the rotation that tells which components to keep. Set n_oversamples to 0, "
        "or rotate to true.");
  }
  Parameters result = parameters;
  result.n_oversamples = std::min(parameters.n_oversamples, n_samples / 2 - parameters.n_components);
  const auto n_rows = static_cast<double>(n_samples);
  if (result.min_child_weight.is_auto()) result.min_child_weight = std::clamp(n_rows / 50, 3.0, 10.0);
  if (result.colsample_bytree.is_auto() && !result.screens()) {
    for (const View& view : views) result.colsample_bytree.values.push_back(automatic_share(view.values.cols()));
  }
  return result;
}

}  // namespace treecca
