#include "treecca/fit.hpp"

#include "data/columns.hpp"
#include "data/view_warnings.hpp"
#include "fit/make_result.hpp"
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
                         threads, columns.by_fold);
}

/// Enough of a model to tell it from any other.
std::string fingerprint(const Model& model) {
  const std::string bytes = serialize_model(model, ModelFormat::ubjson);
  std::uint64_t hash = 0;
  for (const char byte : bytes) hash = mix_bits(hash ^ static_cast<unsigned char>(byte));
  return std::to_string(hash);
}

}  // namespace

FitResult fit(const std::vector<View>& given, const Parameters& asked, const FitOptions& options) {
  // 1. Refuse all that can be refused, before any work.
  const Dataset data = check_dataset(given, options);
  const Setting setting{resolve(asked, data), options.engine_params};
  const Folds folds = make_folds(data.samples, setting.parameters.cross_fit, setting.parameters.random_state);
  check_engine(setting, data);
  check_peers(setting, data);
  // 2. Train.
  Run run(options, asked.n_jobs);
  run.warn(view_warnings(data));
  TrainingData shared(data);
  Trained trained = train(shared, setting, folds, run);
  // 3. Rotate, name, compare with linear CCA.
  LinearBaseline linear;
  run.clock().time("linear", [&] { linear = linear_baseline_of(data, trained, folds, run.threads()); });
  FitResult result;
  run.clock().time("rotate", [&] { result = make_result(data, trained, folds, run); });
  complete(result, setting, std::move(linear), data, run);
  const Peers& peers = data.samples.peers();
  if (!peers.alone()) peers.check_same(fingerprint(result.model), "trees at the end of the fit");
  return result;
}

}  // namespace treecca
