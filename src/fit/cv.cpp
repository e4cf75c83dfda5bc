#include "treecca/cv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>

#include "data/view_warnings.hpp"
#include "fit/resolve.hpp"
#include "train/early_stopping.hpp"
#include "train/train.hpp"
#include "treecca/error.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

/// From 1.
std::uint64_t best_round(const std::vector<double>& curve, const Parameters& parameters) {
  const Index first = std::clamp<Index>(first_round_to_keep(parameters), 1, static_cast<Index>(curve.size())) - 1;
  return static_cast<std::uint64_t>(std::max_element(curve.begin() + first, curve.end()) - curve.begin()) + 1;
}

}  // namespace

std::vector<CvResult> cross_validate(const std::vector<View>& given, const std::vector<Parameters>& settings,
                                     const CvOptions& options) {
  if (settings.empty()) throw UsageError("There are no settings to compare.");
  if (options.fit.communicator != nullptr) {
    throw UsageError("Settings can be compared in one process only. Compare them on a sample of the rows.");
  }
  const Dataset data = check_dataset(given, options.fit);
  std::vector<CvResult> results;
  std::vector<Folds> splits;
  for (const Parameters& asked : settings) {  // before the first fit: a typing error must not cost an hour
    CvResult result;
    result.given = asked;
    result.parameters = resolve(asked, data);
    if (result.parameters.cross_fit == 0) {
      throw UsageError("Settings are compared on rows their trees have not seen: cross_fit must not be 0.");
    }
    splits.push_back(make_folds(data.samples, result.parameters.cross_fit, result.parameters.random_state));
    check_engine({result.parameters, options.fit.engine_params}, data);
    results.push_back(std::move(result));
  }
  Run(options.fit, settings[0].n_jobs).warn(view_warnings(data));  // once for all settings
  TrainingData shared(data);
  for (std::size_t s = 0; s < results.size(); ++s) {
    CvResult& result = results[s];
    const auto begin = std::chrono::steady_clock::now();
    Run run(options.fit, result.parameters.n_jobs);
    const Trained trained = train(shared, {result.parameters, options.fit.engine_params}, splits[s], run);
    result.parameters = trained.parameters;
    result.correlations = trained.out_of_fold_correlations(/*rotate=*/true).per_component;
    std::sort(result.correlations.begin(), result.correlations.end(), std::greater<>());
    result.tcc = total_correlation(result.correlations);
    const std::vector<Index> above = components_above_noise(result.correlations, data.samples.effective());
    result.found = static_cast<Index>(above.size());
    for (const Index k : above) result.found_tcc += result.correlations[static_cast<std::size_t>(k)];
    result.standard_error = 1 / std::sqrt(data.samples.effective());
    result.curve = trained.history.tcc;
    result.best_round = best_round(result.curve, result.parameters);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (options.on_setting) options.on_setting(s, result);
  }
  return results;
}

std::size_t best_setting(const std::vector<CvResult>& results) {
  std::size_t best = 0;
  for (std::size_t s = 1; s < results.size(); ++s) {
    if (results[s].found_tcc > results[best].found_tcc) best = s;
  }
  const double enough = results[best].found_tcc - results[best].standard_error;
  const auto better = [](const CvResult& a, const CvResult& b) {
    if (a.parameters.n_components != b.parameters.n_components) {
      return a.parameters.n_components < b.parameters.n_components;
    }
    return a.found_tcc > b.found_tcc;
  };
  for (std::size_t s = 0; s < results.size(); ++s) {
    if (results[s].found_tcc >= enough && better(results[s], results[best])) best = s;
  }
  return best;
}

std::vector<Parameters> parameter_grid(const ParameterTexts& given, const std::vector<GridAxis>& axes) {
  std::vector<ParameterTexts> grid{given};
  std::set<std::string> names;
  for (const GridAxis& axis : axes) {
    if (axis.values.empty()) throw UsageError(fmt::format("The grid has no values for {}.", axis.name));
    if (!names.insert(axis.name).second) throw UsageError(fmt::format("The grid names {} twice.", axis.name));
    std::vector<ParameterTexts> wider;
    for (const auto& texts : grid) {
      for (const std::string& value : axis.values) {
        wider.push_back(texts);
        std::erase_if(wider.back(), [&](const auto& text) { return text.first == axis.name; });
        wider.back().emplace_back(axis.name, value);
      }
    }
    grid = std::move(wider);
  }
  std::vector<Parameters> settings;
  for (const auto& texts : grid) settings.push_back(parameters_from_texts(texts));
  return settings;
}

}  // namespace treecca
