// Checks that hold for every model, trained or read from a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>

#include "data/covariates.hpp"
#include "model/check_tree.hpp"
#include "model/refuse.hpp"
#include "model/schema.hpp"
#include "support/utf8.hpp"
#include "treecca/error.hpp"
#include "treecca/metrics.hpp"
#include "treecca/model.hpp"

namespace treecca {
namespace {

constexpr std::size_t kMaxViews = 1000;
constexpr std::size_t kMaxFeatures = 16'777'216;
constexpr std::size_t kMaxParts = 1000;
constexpr double kMaxMagnitude = 1e30;            // of means and rotations, so that products with floats stay finite
constexpr double kMaxCount = 9007199254740992.0;  // 2^53: beyond it a JSON number is not exact

void check_numbers(std::string_view path, const std::vector<double>& values, std::size_t count) {
  if (values.size() != count) refuse(path, fmt::format("has {} numbers, but must have {}", values.size(), count));
  check_finite(path, values);
}

void check_matrix(std::string_view path, const Matrix<double>& matrix, std::size_t rows, std::size_t cols) {
  if (matrix.rows() != static_cast<Index>(rows) || matrix.cols() != static_cast<Index>(cols) ||
      matrix.values().size() != rows * cols) {
    refuse(path, fmt::format("is {} x {}, but must be {} x {}", matrix.rows(), matrix.cols(), rows, cols));
  }
  check_finite(path, matrix.values());
}

void check_not_negative(std::string_view path, const std::vector<double>& values) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return value < 0; })) {
    refuse(path, "holds a negative number");
  }
}

/// Refuses larger numbers, which could make variates infinite.
void check_magnitude(std::string_view path, const std::vector<double>& values) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::abs(value) > kMaxMagnitude; })) {
    refuse(path, fmt::format("holds a number beyond {}", kMaxMagnitude));
  }
}

// ---- names ----

/// Every name must be non-empty, valid UTF-8 (as JSON requires) and unique.
void check_names(std::string_view path, std::vector<std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) refuse(path, fmt::format("has an empty name at position {}", i));
    if (!is_utf8(names[i])) {
      refuse(path, fmt::format("has a name at position {} that is not valid UTF-8 text", i));
    }
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) refuse(path, fmt::format("has the name \"{}\" twice", *twice));
}

// ---- the parts of a model ----

void check_screening(const Model& model, std::size_t v, const std::string& path) {
  const ViewModel& view = model.views[v];
  const Screening& screening = view.screening;
  const std::size_t p = view.feature_names.size();
  const bool asked = model.parameters.screen.is_auto() || model.parameters.screen.at(static_cast<Index>(v)) > 0;
  if (view.parts.empty() ? !screening.empty() : screening.empty() == asked) {
    refuse(path, "does not fit the parameter screen");
  }
  if (screening.empty() && screening.scores == FeatureScores{}) return;
  std::vector<const Encoder*> encoders;
  for (const PartModel& part : view.parts) {
    for (const Encoder& encoder : part.encoders) encoders.push_back(&encoder);
  }
  if (screening.kept.size() != encoders.size()) {
    refuse(path + ".kept", fmt::format("is for {} encoders, but there are {}", screening.kept.size(), encoders.size()));
  }
  for (std::size_t e = 0; e < screening.kept.size(); ++e) {
    const std::vector<std::int32_t>& kept = screening.kept[e];
    const bool ascending = std::adjacent_find(kept.begin(), kept.end(), std::greater_equal<>()) == kept.end();
    if (kept.empty() || !ascending || kept.front() < 0 || kept.back() >= static_cast<std::int64_t>(p)) {
      refuse(fmt::format("{}.kept of encoder {}", path, e), "is empty, not ascending or beyond the view's features");
    }
    for (const Tree& tree : *encoders[e]) {
      for (const Node& node : tree.nodes) {
        if (!node.is_leaf() && !std::binary_search(kept.begin(), kept.end(), node.feature)) {
          refuse(fmt::format("{}.encoders[{}]", path, e),
                 fmt::format("has a tree that tests feature {}, which was not kept", node.feature));
        }
      }
    }
  }
  const FeatureScores& scores = screening.scores;
  const std::size_t scored = scores.score.empty() ? 0 : p;
  check_numbers(path + ".score", scores.score, scored);
  check_numbers(path + ".p_value", scores.p_value, scores.p_value.empty() ? 0 : scored);
  if (scores.partner_view.size() != scored || scores.partner.size() != scored) {
    refuse(path + ".partner", fmt::format("does not name one partner for each of {} features", scored));
  }
  for (std::size_t j = 0; j < scored; ++j) {
    const std::int32_t other = scores.partner_view[j];
    const bool none = other == -1 && scores.partner[j] == -1;
    const bool known =
        other >= 0 && static_cast<std::size_t>(other) < model.views.size() && scores.partner[j] >= 0 &&
        static_cast<std::size_t>(scores.partner[j]) < model.views[static_cast<std::size_t>(other)].feature_names.size();
    if (!none && !known) refuse(path + ".partner", fmt::format("of feature {} does not exist", j));
  }
}

/// With engine_params a library may grow trees deeper than max_depth.
int greatest_depth(const Model& model, Index view) {
  return model.engine_params.empty() ? static_cast<int>(model.parameters.max_depth.at(view)) : kMaxTreeDepth;
}

void check_map(const std::string& path, const LinearMap& map, std::size_t n_features, std::size_t n_columns,
               const Levels& levels = {}) {
  check_numbers(path + ".mean", map.mean, map.empty() ? 0 : n_features);
  std::vector<std::int32_t> begin;
  if (!levels.empty() && !map.empty()) begin.push_back(static_cast<std::int32_t>(n_features));
  for (std::size_t j = 0; j < levels.size() && !map.empty(); ++j) {
    begin.push_back(begin.back() + static_cast<std::int32_t>(levels[j].size()));
  }
  if (map.level_begin != begin) refuse(path, "does not fit the levels of the features");
  const std::size_t rows = begin.empty() ? n_features : static_cast<std::size_t>(begin.back());
  check_matrix(path + ".weights", map.weights, map.empty() ? 0 : rows, map.empty() ? 0 : n_columns);
}

void check_levels(const std::string& path, const ViewModel& view) {
  const Levels& levels = view.levels;
  const std::size_t n_features = view.feature_names.size();
  if (view.level_counts.size() != levels.size()) refuse(path, "has counts that do not fit the levels");
  if (levels.empty()) return;
  if (levels.size() != n_features) refuse(path, fmt::format("is for {} features of {}", levels.size(), n_features));
  bool any = false;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (levels[j].size() > kMaxLevels) refuse(path, fmt::format("has more than {} levels", kMaxLevels));
    check_names(fmt::format("{} (levels of feature {})", path, j), {levels[j].begin(), levels[j].end()});
    check_numbers(path + " (counts)", view.level_counts[j], levels[j].size());
    check_not_negative(path + " (counts)", view.level_counts[j]);
    if (!levels[j].empty() && !view.offset.empty() && view.offset[j] != 0) {
      refuse(path, fmt::format("has feature {}, which has an offset", j));
    }
    any = any || !levels[j].empty();
  }
  if (!any) refuse(path, "has no levels");
}

void check_part(const PartModel& part, const Model& model, const TreeRules& rules, const std::string& path) {
  const auto k = static_cast<std::size_t>(rules.n_components);
  check_numbers(path + ".mean", part.mean, k);
  check_magnitude(path + ".mean", part.mean);
  check_matrix(path + ".rotation", part.rotation, k, static_cast<std::size_t>(model.parameters.n_components));
  check_magnitude(path + ".rotation", part.rotation.values());
  // A single cross-fit that was blended with linear CCA is stored as one part per fold.
  const auto folds = static_cast<std::size_t>(std::max<Index>(1, model.parameters.cross_fit));
  if (part.encoders.size() != folds && part.encoders.size() != 1) {
    refuse(path + ".encoders",
           fmt::format("has {} entries, but must have {} (cross_fit is {})", part.encoders.size(), folds, folds));
  }
  const std::uint64_t most_trees = model.rounds * static_cast<std::uint64_t>(model.parameters.trees_per_round());
  TreeScratch scratch;
  for (std::size_t e = 0; e < part.encoders.size(); ++e) {
    const Encoder& encoder = part.encoders[e];
    if (encoder.size() > most_trees) {
      refuse(fmt::format("{}.encoders[{}]", path, e),
             fmt::format("has {} trees, too many for {} rounds", encoder.size(), model.rounds));
    }
    for (std::size_t t = 0; t < encoder.size(); ++t) {
      check_tree(encoder[t], rules, scratch, [&] { return fmt::format("{}.encoders[{}] tree {}", path, e, t); });
    }
  }
}

void check_loadings(const std::string& path, const Loadings& loadings, std::size_t p, std::size_t k) {
  const auto check = [&](const char* name, const Matrix<double>& values, const Matrix<double>& errors, bool absent) {
    const std::string key = path + "." + name;
    check_matrix(key, values, absent ? 0 : p, absent ? 0 : k);
    check_matrix(key + "_errors", errors, absent ? 0 : p, absent ? 0 : k);
    if (std::any_of(values.values().begin(), values.values().end(), [](double r) { return std::abs(r) > 1; })) {
      refuse(key, "has a correlation outside -1 to 1");
    }
    check_not_negative(key + "_errors", errors.values());
  };
  check("own", loadings.own, loadings.own_errors, loadings.empty());
  check("cross", loadings.cross, loadings.cross_errors, loadings.empty() || loadings.cross.empty());
}

void check_view(const Model& model, std::size_t v) {
  const ViewModel& view = model.views[v];
  const Parameters& parameters = model.parameters;
  const std::string path = fmt::format("views[{}]", v);
  const auto k = static_cast<std::size_t>(parameters.trained_components());
  const std::size_t p = view.feature_names.size();
  if (p == 0 || p > kMaxFeatures) {
    refuse(path + ".feature_names", fmt::format("has {} names; a view has 1 to {} features", p, kMaxFeatures));
  }
  check_names(path + ".feature_names", {view.feature_names.begin(), view.feature_names.end()});
  check_numbers(path + ".offset", view.offset, view.offset.empty() ? 0 : p);
  check_magnitude(path + ".offset", view.offset);
  check_levels(path + ".categories", view);
  check_map(path + ".base_margin", view.base_margin, p, k, view.levels);
  check_map(path + ".linear", view.linear, p, static_cast<std::size_t>(parameters.n_components), view.levels);
  check_magnitude(path + ".linear.weights", view.linear.weights.values());
  check_magnitude(path + ".linear.mean", view.linear.mean);
  check_numbers(path + ".mean", view.mean, view.mean.empty() ? 0 : p);
  const bool must_have_deviation = !view.linear.empty() || !view.mean.empty();
  check_numbers(path + ".deviation", view.deviation, must_have_deviation || !view.deviation.empty() ? p : 0);
  if (!view.linear.empty()) check_magnitude(path + ".deviation", view.deviation);
  check_not_negative(path + ".deviation", view.deviation);
  check_loadings(path + ".loadings", view.loadings, p, static_cast<std::size_t>(parameters.n_components));
  if (view.linear.empty() != (parameters.linear == 0)) {
    refuse(path + ".linear", "does not fit the parameter linear");
  }
  if (view.parts.empty() != (parameters.linear == 1)) refuse(path + ".parts", "do not fit the parameter linear");
  if (view.parts.size() > kMaxParts) refuse(path + ".parts", fmt::format("has more than {} entries", kMaxParts));
  if (view.parts.size() != model.views[0].parts.size()) {
    refuse(path + ".parts",
           fmt::format("has {} entries, but the first view has {}", view.parts.size(), model.views[0].parts.size()));
  }
  const bool joint = parameters.trees == Trees::joint;
  const TreeRules rules{.n_components = static_cast<std::int32_t>(k),
                        .n_features = static_cast<std::int64_t>(p),
                        .joint = joint,
                        .max_depth = greatest_depth(model, static_cast<Index>(v)),
                        .levels = &view.levels};
  check_screening(model, v, path + ".screening");
  for (std::size_t i = 0; i < view.parts.size(); ++i) {
    check_part(view.parts[i], model, rules, fmt::format("{}.parts[{}]", path, i));
    if (view.parts[i].encoders.size() != model.views[0].parts[0].encoders.size()) {
      refuse(fmt::format("{}.parts[{}].encoders", path, i), "are not as many as in the first part");
    }
  }
}

void check_covariates(const Model& model) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < model.covariates.size(); ++i) {
    const CovariateTerm& term = model.covariates[i];
    const std::string path = fmt::format("covariates[{}]", i);
    names.push_back(term.name);
    if (const std::optional<Factors> factors = factors_of(term)) {
      const auto is_before = [&](const std::string& name) {
        return std::any_of(model.covariates.begin(), model.covariates.begin() + static_cast<std::ptrdiff_t>(i),
                           [&](const CovariateTerm& other) { return other.name == name && !factors_of(other); });
      };
      if (!is_before(factors->first) || !is_before(factors->second)) refuse(path, "is a product of unknown covariates");
      continue;
    }
    if (term.levels.empty() == term.knots.empty()) refuse(path, "must have either knots or levels");
    if (std::max(term.levels.size(), term.knots.size()) < 2) refuse(path, "must have at least two knots or levels");
    check_finite(path + ".knots", term.knots);
    check_magnitude(path + ".knots", term.knots);
    if (std::adjacent_find(term.knots.begin(), term.knots.end(), std::greater_equal<>()) != term.knots.end()) {
      refuse(path + ".knots", "is not ascending");
    }
    check_names(path + ".levels", {term.levels.begin(), term.levels.end()});
  }
  check_names("covariates (their names)", names);
  const auto columns = static_cast<std::size_t>(number_of_columns(model.covariates));
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const LinearMap& effect = model.views[v].covariate_effect;
    const std::string path = fmt::format("views[{}].covariate_effect", v);
    if (effect.empty() != model.covariates.empty()) refuse(path, "does not fit the covariates");
    check_map(path, effect, columns, static_cast<std::size_t>(model.parameters.n_components));
    check_magnitude(path + ".weights", effect.weights.values());
    check_magnitude(path + ".mean", effect.mean);
  }
}

void check_correlations(const Model& model) {
  const auto k = static_cast<std::size_t>(model.parameters.n_components);
  const std::size_t folded = model.parameters.cross_fit > 0 ? k : 0;
  const Correlations& correlations = model.correlations;
  const auto check = [&](std::string_view path, const std::vector<double>& values, std::size_t count) {
    check_numbers(path, values, count);
    constexpr double kRounding = 1e-6;
    if (std::any_of(values.begin(), values.end(), [](double r) { return std::abs(r) > 1 + kRounding; })) {
      refuse(path, "has a correlation outside -1 to 1");
    }
  };
  check("correlations.out_of_fold", correlations.out_of_fold, folded);
  check_numbers("correlations.standard_errors", correlations.standard_errors, folded);
  check_numbers("correlations.noise_thresholds", correlations.noise_thresholds, folded);
  check_not_negative("correlations.standard_errors", correlations.standard_errors);
  check_not_negative("correlations.noise_thresholds", correlations.noise_thresholds);
  if (correlations.candidates.empty()) refuse("correlations.candidates", "is empty");
  std::size_t chosen = 0;
  for (const BlendResult& candidate : correlations.candidates) {
    check("correlations.candidates", candidate.correlations, folded);
    check_numbers("correlations.candidates", {candidate.judged}, 1);
    if (!(candidate.linear >= 0 && candidate.linear <= 1))
      refuse("correlations.candidates", "has a weight outside 0 to 1");
    chosen += candidate.chosen ? 1 : 0;
    if (candidate.chosen && !(model.parameters.linear == candidate.linear)) {
      refuse("correlations.candidates", "does not fit the parameter linear");
    }
  }
  if (chosen != 1) refuse("correlations.candidates", "must have exactly one chosen entry");
  check("correlations.in_sample", correlations.in_sample, k);
  check("correlations.linear_out_of_fold", correlations.linear_out_of_fold, folded);
  check("correlations.linear_in_sample", correlations.linear_in_sample, k);
  check("correlations.linear_unadjusted", correlations.linear_unadjusted,
        correlations.linear_unadjusted.empty() ? 0 : k);
  const std::size_t m = model.views.size();
  check("correlations.pairwise", correlations.pairwise, m * m * k);
  for (const auto& [path, values] :
       {std::pair{"correlations.pairwise_standard_errors", &correlations.pairwise_standard_errors},
        std::pair{"correlations.pairwise_noise_thresholds", &correlations.pairwise_noise_thresholds}}) {
    check_numbers(path, *values, m > 1 ? m * m * folded : 0);
    check_not_negative(path, *values);
  }
}

void check_history(const Model& model) {
  const History& history = model.history;
  const std::size_t run = history.round.size();
  if (std::adjacent_find(history.round.begin(), history.round.end(), std::greater_equal<>()) != history.round.end()) {
    refuse("history.round", "is not ascending");
  }
  check_numbers("history.round", history.round, run);
  if (!std::all_of(history.round.begin(), history.round.end(),
                   [](double round) { return round >= 1 && round <= kMaxCount && round == std::floor(round); })) {
    refuse("history.round", "has a number that is not a round");
  }
  check_numbers("history.tcc", history.tcc, run);
  const bool all = !history.loss.empty();  // every round was measured
  if (all && (run < model.rounds || run > static_cast<std::size_t>(model.parameters.n_estimators))) {
    refuse("history.round", fmt::format("has {} rounds, but {} were kept of at most {}", run, model.rounds,
                                        *model.parameters.n_estimators.value));
  }
  const std::size_t measured = all ? run : 0;
  check_numbers("history.loss", history.loss, measured);
  check_numbers("history.train_tcc", history.train_tcc, measured);
  const std::size_t columns = model.views.size() * static_cast<std::size_t>(model.parameters.trained_components());
  check_matrix("history.variance", history.variance, measured, all ? columns : 0);
}

void check_engine_params(const Model& model) {
  if (!model.engine_params.empty() && model.parameters.engine == EngineKind::native) {
    refuse("engine_params", "has entries, but the native engine takes none");
  }
  std::set<std::string_view> names;
  for (const auto& [name, value] : model.engine_params) {
    if (name.empty() || !names.insert(name).second) refuse("engine_params", "has a name that is empty or repeated");
    if (!is_utf8(name) || !is_utf8(value)) refuse("engine_params", "has text that is not UTF-8");
  }
}

void check_parameters(const Model& model) {
  try {
    validate(model.parameters, static_cast<Index>(model.views.size()));
  } catch (const UsageError& error) {
    throw ModelError(fmt::format("parameters are out of range: {}", error.what()));
  }
  require_values(model.parameters);
  try {
    validate(model.asked, static_cast<Index>(model.views.size()));
  } catch (const UsageError& error) {
    throw ModelError(fmt::format("asked is out of range: {}", error.what()));
  }
  if (model.asked.n_components != model.parameters.n_components) {
    refuse("asked.n_components", "differs from that of parameters");
  }
}

void check_shared_samples(const Model& model) {
  const std::vector<std::uint64_t>& shared = model.shared_samples;
  const std::size_t m = model.views.size();
  if (shared.empty()) return;
  if (shared.size() != m * m) {
    refuse("shared_samples", fmt::format("has {} numbers, but must have {}", shared.size(), m * m));
  }
  for (std::size_t v = 0; v < m; ++v) {
    if (shared[v * m + v] > model.n_samples) refuse("shared_samples", "holds more samples than n_samples");
    for (std::size_t w = 0; w < m; ++w) {
      if (shared[v * m + w] != shared[w * m + v]) refuse("shared_samples", "is not symmetric");
      if (shared[v * m + w] > shared[v * m + v]) refuse("shared_samples", "holds a pair with more samples than a view");
    }
  }
}

}  // namespace

void require_values(const Parameters& parameters) {
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*member) {
    if constexpr (requires(const T& value) { value.is_auto(); }) {
      if ((parameters.*member).is_auto() && !declaration.stays_auto) {
        refuse(fmt::format("parameters.{}", declaration.name), "has no value; a model has every automatic choice made");
      }
    }
  });
}

void check_model(const Model& model) {
  const std::size_t m = model.views.size();
  if (m < 1 || m > kMaxViews) refuse("views", fmt::format("has {} entries; a model has 1 to {}", m, kMaxViews));
  check_parameters(model);
  check_engine_params(model);
  if (static_cast<double>(model.n_samples) > kMaxCount) refuse("n_samples", "is too large");
  if (!(model.effective_samples >= 0) || model.effective_samples > static_cast<double>(model.n_samples)) {
    refuse("effective_samples", "is not between 0 and n_samples");
  }
  if (model.independent_samples > model.n_samples) refuse("independent_samples", "is more than n_samples");
  check_shared_samples(model);
  if (model.rounds > static_cast<std::uint64_t>(model.parameters.n_estimators)) {
    refuse("rounds",
           fmt::format("is {}, more than n_estimators ({})", model.rounds, *model.parameters.n_estimators.value));
  }
  const std::vector<std::uint64_t>& hashes = model.row_hashes;
  if (hashes.size() > kMaxRowHashes) refuse("row_hashes", fmt::format("has more than {} entries", kMaxRowHashes));
  if (std::adjacent_find(hashes.begin(), hashes.end(), std::greater_equal<>()) != hashes.end()) {
    refuse("row_hashes", "is not ascending");
  }
  std::vector<std::string_view> names;
  for (const ViewModel& view : model.views) names.push_back(view.name);
  check_names("views (their names)", names);
  for (std::size_t v = 0; v < m; ++v) check_view(model, v);
  check_covariates(model);
  check_correlations(model);
  check_history(model);
}

}  // namespace treecca
