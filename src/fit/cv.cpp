#include "treecca/cv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "data/view_warnings.hpp"
#include "fit/candidate.hpp"
#include "fit/judge.hpp"
#include "fit/make_result.hpp"
#include "fit/resolve.hpp"
#include "train/early_stopping.hpp"
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

void set_results(CvResult& result, Judged judged, const Samples& samples) {
  result.parameters = std::move(judged.parameters);
  result.linear_weight = judged.linear_weight;
  result.folds = std::move(judged.folds);
  result.best_round = best_round(judged.history, result.parameters);
  result.rounds = std::move(judged.history.round);
  result.curve = std::move(judged.history.tcc);
  Correlations correlations;
  set_out_of_fold(correlations, judged.out_of_fold, judged.standard_errors, samples);
  const std::vector<bool> found = found_components(correlations, samples.effective());
  result.can_tell = can_tell_noise(samples.effective());
  double variance = 0;
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (!found[c]) continue;
    ++result.found;
    result.found_tcc += std::max(0.0, correlations.out_of_fold[c]);
    variance += correlations.standard_errors[c] * correlations.standard_errors[c];
  }
  result.standard_error = std::sqrt(variance);
  result.correlations = std::move(correlations.out_of_fold);
  result.standard_errors = std::move(correlations.standard_errors);
  result.tcc = total_correlation(result.correlations);
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
  for (const Parameters& asked : settings) {  // check all settings before the first fit
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
    views.emplace(matrices_of(shared.designs()), data.samples, settings[0].random_state,
                  Threads(thread_count(settings[0].n_jobs), options.fit.stop), covariates_of(data));
  }
  for (std::size_t s = 0; s < results.size(); ++s) {
    CvResult& result = results[s];
    const auto begin = std::chrono::steady_clock::now();
    Run run(options.fit, result.parameters.n_jobs);
    const Setting setting{result.parameters, options.fit.engine_params};
    set_results(result, judge(shared, views ? &*views : nullptr, setting, splits[s], run), data.samples);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (options.on_setting) options.on_setting(s, result);
  }
  return results;
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
