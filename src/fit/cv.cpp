#include "treecca/cv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "data/view_warnings.hpp"
#include "fit/candidate.hpp"
#include "fit/choose.hpp"
#include "fit/make_result.hpp"
#include "fit/part.hpp"
#include "fit/resolve.hpp"
#include "train/early_stopping.hpp"
#include "train/train.hpp"
#include "treecca/error.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

/// The measured round with the highest TCC among those whose initial values have faded out.
std::uint64_t best_round(const History& history, const Parameters& parameters) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < history.tcc.size(); ++i) {
    const bool faded = history.round[i] >= static_cast<double>(first_round_to_keep(parameters));
    const bool earlier = history.round[best] < static_cast<double>(first_round_to_keep(parameters));
    if (earlier || (faded && history.tcc[i] > history.tcc[best])) best = i;
  }
  return history.round.empty() ? 0 : static_cast<std::uint64_t>(history.round[best]);
}

/// What `fit` would report, without making a model.
void judge(CvResult& result, TrainingData& shared, const std::optional<LinearViews>& views, const Setting& setting,
           const std::vector<Folds>& splits, const Samples& samples, Run& run) {
  if (is_single_fit(setting.parameters)) {
    const Trained trained = train(shared, setting, splits[0], run);
    result.parameters = trained.parameters;
    result.correlations = trained.out_of_fold_correlations(/*rotate=*/true).per_component;
    std::sort(result.correlations.begin(), result.correlations.end(), std::greater<>());  // as `fit` and the errors have them
    result.standard_errors = out_of_fold_standard_errors(trained, splits[0], run);
    result.rounds = trained.history.round;
    result.curve = trained.history.tcc;
    result.best_round = best_round(trained.history, trained.parameters);
  } else {
    const FittedParts fitted = fit_parts(shared, *views, setting, splits, run);
    Parameters rotating = setting.parameters;
    rotating.rotate = true;
    const Blends blends(fitted, rotating, samples);
    const Choice choice = choose(blends.candidates, samples);
    result.parameters = fitted.parameters;
    result.linear_weight = blends.candidates[choice.best].linear_weight;
    result.parameters.linear = result.linear_weight;
    result.correlations = choice.out_of_fold.per_component;
    result.standard_errors = choice.standard_errors;
    result.rounds = fitted.history.round;
    result.curve = fitted.history.tcc;
    result.best_round = best_round(fitted.history, fitted.parameters);
  }
  result.tcc = total_correlation(result.correlations);
  const auto independent = static_cast<double>(samples.independent());
  const std::vector<double> thresholds = noise_thresholds(result.standard_errors, independent);
  double variance = 0;
  for (std::size_t c = 0; c < result.correlations.size() && can_tell_noise(independent); ++c) {
    if (!(result.correlations[c] > thresholds[c])) continue;
    ++result.found;
    result.found_tcc += result.correlations[c];
    variance += result.standard_errors[c] * result.standard_errors[c];
  }
  result.standard_error = std::sqrt(variance);
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
  std::vector<std::vector<Folds>> splits;
  for (const Parameters& asked : settings) {  // before the first fit: a typing error must not cost an hour
    CvResult result;
    result.given = asked;
    result.parameters = resolve(asked, data);
    if (result.parameters.cross_fit == 0) {
      throw UsageError("Settings are compared on rows their trees have not seen: cross_fit must not be 0.");
    }
    splits.push_back(make_splits(data.samples, result.parameters));
    check_engine({result.parameters, options.fit.engine_params}, data);
    results.push_back(std::move(result));
  }
  Run(options.fit, settings[0].n_jobs).warn(view_warnings(data));  // once for all settings
  TrainingData shared(data);
  std::optional<LinearViews> views;  // for settings with parts or blends
  if (!std::all_of(results.begin(), results.end(), [](const auto& one) { return is_single_fit(one.parameters); })) {
    views.emplace(matrices_of(data.views), data.samples, settings[0].random_state,
                  Threads(thread_count(settings[0].n_jobs), options.fit.stop));
  }
  for (std::size_t s = 0; s < results.size(); ++s) {
    CvResult& result = results[s];
    const auto begin = std::chrono::steady_clock::now();
    Run run(options.fit, result.parameters.n_jobs);
    judge(result, shared, views, {result.parameters, options.fit.engine_params}, splits[s], data.samples, run);
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
  const auto highest = std::max_element(results.begin(), results.end(),
                                        [](const CvResult& a, const CvResult& b) { return a.tcc < b.tcc; });
  // Nothing is above noise anywhere: the highest TCC, for what it is worth.
  if (results[best].found_tcc == 0 && highest->tcc > 0) return static_cast<std::size_t>(highest - results.begin());
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
