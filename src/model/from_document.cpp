// Document -> Model: reads the schema of docs/model-file.md. to_document.cpp is the inverse.
//
// Sizes are compared with each other before anything is built from them; check_model checks the values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "data/covariates.hpp"
#include "model/schema.hpp"
#include "support/document_fields.hpp"
#include "treecca/error.hpp"
#include "treecca/metrics.hpp"

namespace treecca {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
constexpr double kMaxIndex = std::numeric_limits<std::int32_t>::max();

template <class E>
E choice(Fields& fields, std::string_view key) {
  const auto& names = EnumNames<E>::value;
  // The preset of version 1 that is now called "plain".
  if (std::is_same_v<E, Preset> && fields.text(key) == "default") return static_cast<E>(Preset::plain);
  const auto found = std::find(names.begin(), names.end(), fields.text(key));
  if (found == names.end()) {
    refuse_document(fields.path(key), fmt::format("must be one of \"{}\"", fmt::join(names, "\", \"")));
  }
  return static_cast<E>(found - names.begin());
}

/// A number for all views, or an array with one for each. "auto" is refused elsewhere if the parameter must have a
/// value.
template <class T>
PerView<T> per_view(Fields& fields, std::string_view key) {
  const Document& value = fields.get(key);
  if (value.kind == Document::Kind::text && value.text == "auto") return {};
  if (value.kind != Document::Kind::number && value.kind != Document::Kind::numbers) {
    refuse_document(fields.path(key), "must be a number or an array of numbers");
  }
  const std::vector<double> numbers =
      value.kind == Document::Kind::number ? std::vector<double>{value.number} : value.numbers;
  PerView<T> result;
  for (const double number : numbers) {
    if (std::is_integral_v<T> && !is_whole_within(number, -kExactIntegers, kExactIntegers)) {
      refuse_document(fields.path(key), "must be an integer");
    }
    result.values.push_back(static_cast<T>(number));
  }
  return result;
}

template <class T>
void read_value(Fields& fields, std::string_view key, T& value) {
  if constexpr (is_or_auto<T>) {
    const Document& given = fields.get(key);
    if (given.kind == Document::Kind::text && given.text == "auto") {
      value = {};
    } else {
      typename decltype(T::value)::value_type number{};
      read_value(fields, key, number);
      value = number;
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    value = fields.number(key);
  } else if constexpr (std::is_enum_v<T>) {
    value = choice<T>(fields, key);
  } else if constexpr (std::is_same_v<T, bool>) {
    value = fields.boolean(key);
  } else if constexpr (std::is_integral_v<T>) {
    value = static_cast<T>(fields.whole(key, std::is_signed_v<T> ? -kExactIntegers : 0, kExactIntegers));
  } else {
    value = per_view<typename decltype(T::values)::value_type>(fields, key);
  }
}

Parameters read_parameters(const Document& document, std::string_view path) {
  Fields fields(document, std::string(path));
  Parameters parameters = Parameters::of_preset(Preset::plain);  // the defaults for files of version 1
  for_each_parameter([&](const Declaration& declaration, auto member) {
    const bool there = !declaration.may_be_absent || fields.has(declaration.name);
    if (declaration.affects_model && there) read_value(fields, declaration.name, parameters.*member);
  });
  fields.finish();
  // Sizes follow from n_components, so it is checked first.
  try {
    validate(parameters);
  } catch (const UsageError& error) {
    throw ModelError(fmt::format("{} are out of range: {}", path, error.what()));
  }
  return parameters;
}

EngineParams read_engine_params(const Document& document) {
  Fields fields(document, "engine_params");
  EngineParams given;
  for (const std::string& name : document.keys) given.emplace_back(name, fields.text(name));
  return given;
}

Encoder read_encoder(const Document& document, const std::string& path, std::size_t n_components,
                     const Levels& levels) {
  Fields fields(document, path);
  const std::size_t n_trees = fields.numbers("tree_sizes").size();
  const std::vector<std::int32_t> tree_sizes = fields.wholes("tree_sizes", n_trees, 1, kMaxIndex);
  const std::vector<std::int32_t> component =
      fields.wholes("component", n_trees, -1, static_cast<double>(n_components) - 1);
  std::size_t n_nodes = 0;
  for (const std::int32_t size : tree_sizes) n_nodes += static_cast<std::size_t>(size);
  const std::vector<std::int32_t> feature = fields.wholes("feature", n_nodes, -1, kMaxIndex);
  const std::vector<float> cover = fields.singles("cover", n_nodes);
  const auto n_leaves = static_cast<std::size_t>(std::count(feature.begin(), feature.end(), -1));
  const std::size_t n_splits = n_nodes - n_leaves;
  const std::vector<float> threshold = fields.singles("threshold", n_splits);
  const std::vector<std::int32_t> left = fields.wholes("left", n_splits, 1, kMaxIndex);
  const std::vector<std::int32_t> right = fields.wholes("right", n_splits, 1, kMaxIndex);
  const std::vector<std::int32_t> default_left = fields.wholes("default_left", n_splits, 0, 1);
  const std::vector<std::int32_t> leaf = fields.wholes("leaf", n_leaves, 0, kMaxIndex);

  const auto tests_category = [&](std::int32_t tested) {
    return tested >= 0 && static_cast<std::size_t>(tested) < levels.size() &&
           !levels[static_cast<std::size_t>(tested)].empty();
  };
  std::vector<LevelSet> level_sets;
  if (!levels.empty()) {
    const auto n_sets = static_cast<std::size_t>(std::count_if(feature.begin(), feature.end(), tests_category));
    const std::vector<std::int32_t> sizes = fields.wholes("left_level_sizes", n_sets, 0, kMaxLevels);
    const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const std::vector<std::int32_t> left_levels = fields.wholes("left_levels", total, 0, kMaxLevels - 1);
    auto level = left_levels.begin();
    for (const std::int32_t size : sizes) {
      LevelSet& set = level_sets.emplace_back();
      for (std::int32_t i = 0; i < size; ++i, ++level) {
        if (i > 0 && level[-1] >= *level)
          refuse_document(fields.path("left_levels"), "has a set that is not ascending");
        set.insert(static_cast<std::size_t>(*level));
      }
    }
  }
  std::size_t set_at = 0;

  Encoder encoder(n_trees);
  std::vector<std::size_t> leaf_value_counts(n_trees);
  std::size_t n_leaf_values = 0;
  std::size_t node_at = 0;
  std::size_t split_at = 0;
  std::size_t leaf_at = 0;
  for (std::size_t t = 0; t < n_trees; ++t) {
    Tree& tree = encoder[t];
    tree.component = component[t];
    tree.nodes.resize(static_cast<std::size_t>(tree_sizes[t]));
    const std::size_t first_leaf = leaf_at;
    for (Node& node : tree.nodes) {
      node.feature = feature[node_at];
      node.cover = cover[node_at];
      ++node_at;
      if (node.is_leaf()) {
        node.leaf = leaf[leaf_at++];
      } else {
        node.threshold = threshold[split_at];
        node.left = left[split_at];
        node.right = right[split_at];
        node.default_left = default_left[split_at] == 1;
        if (tests_category(node.feature)) {
          node.level_set = static_cast<std::int32_t>(tree.level_sets.size());
          tree.level_sets.push_back(level_sets[set_at++]);
        }
        ++split_at;
      }
    }
    leaf_value_counts[t] = (leaf_at - first_leaf) * (tree.component < 0 ? n_components : 1);
    n_leaf_values += leaf_value_counts[t];
  }
  const std::vector<float> leaf_values = fields.singles("leaf_values", n_leaf_values);
  auto from = leaf_values.begin();
  for (std::size_t t = 0; t < n_trees; ++t) {
    const auto to = from + static_cast<std::ptrdiff_t>(leaf_value_counts[t]);
    encoder[t].leaf_values.assign(from, to);
    from = to;
  }
  fields.finish();
  return encoder;
}

Matrix<double> read_matrix(Fields& fields, std::string_view key, std::size_t rows, std::size_t cols) {
  const std::vector<double>& values = fields.numbers(key, rows * cols);
  Matrix<double> matrix(static_cast<Index>(rows), static_cast<Index>(cols));
  matrix.values() = values;
  return matrix;
}

LinearMap read_map(const Document& document, const std::string& path, std::size_t n_features, std::size_t n_components,
                   const Levels& levels = {}) {
  LinearMap map;
  if (document.kind == Document::Kind::null) return map;
  Fields fields(document, path);
  map.mean = fields.numbers("mean", n_features);
  std::size_t rows = n_features;
  if (!levels.empty()) {
    map.level_begin.push_back(static_cast<std::int32_t>(rows));
    for (const std::vector<std::string>& of_feature : levels) {
      rows += of_feature.size();
      map.level_begin.push_back(static_cast<std::int32_t>(rows));
    }
  }
  map.weights = read_matrix(fields, "weights", rows, n_components);
  fields.finish();
  return map;
}

/// Categorical features, ascending, with their levels and the number of rows with each.
void read_categories(const std::vector<Document>& documents, const std::string& path, ViewModel& view) {
  const std::size_t n_features = view.feature_names.size();
  if (documents.empty()) refuse_document(path, "must be null if there are none");
  view.levels.resize(n_features);
  view.level_counts.resize(n_features);
  double before = -1;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string own = fmt::format("{}[{}]", path, i);
    Fields fields(documents[i], own);
    const auto feature = static_cast<double>(fields.whole("feature", 0, static_cast<double>(n_features) - 1));
    if (feature <= before) refuse_document(fields.path("feature"), "is not ascending");
    before = feature;
    std::vector<std::string> texts = fields.texts("levels");
    if (texts.empty() || texts.size() > kMaxLevels) {
      refuse_document(fields.path("levels"), fmt::format("must have 1 to {} entries", kMaxLevels));
    }
    view.level_counts[static_cast<std::size_t>(feature)] = fields.numbers("counts", texts.size());
    view.levels[static_cast<std::size_t>(feature)] = std::move(texts);
    fields.finish();
  }
}

Screening read_screening(const Document& document, const std::string& path, std::size_t n_features) {
  Fields fields(document, path);
  Screening screening;
  const std::size_t n_encoders = fields.numbers("kept_sizes").size();
  const std::vector<std::int32_t> sizes = fields.wholes("kept_sizes", n_encoders, 1, static_cast<double>(n_features));
  std::size_t total = 0;
  for (const std::int32_t size : sizes) total += static_cast<std::size_t>(size);
  const std::vector<std::int32_t> kept = fields.wholes("kept", total, 0, static_cast<double>(n_features) - 1);
  auto from = kept.begin();
  for (const std::int32_t size : sizes) {
    screening.kept.emplace_back(from, from + size);
    from += size;
  }
  FeatureScores& scores = screening.scores;
  scores.score = fields.numbers("score");
  scores.partner_view = fields.wholes("partner_view", scores.score.size(), -1, kMaxIndex);
  scores.partner = fields.wholes("partner", scores.score.size(), -1, kMaxIndex);
  scores.p_value = fields.numbers("p_value");
  fields.finish();
  return screening;
}

Loadings read_loadings(const Document& document, const std::string& path, std::size_t n_features,
                       std::size_t n_components) {
  Fields fields(document, path);
  const auto read = [&](std::string_view key) { return read_matrix(fields, key, n_features, n_components); };
  Loadings loadings{read("own"), read("own_errors"), {}, {}};
  if (fields.has("cross")) {
    loadings.cross = read("cross");
    loadings.cross_errors = read("cross_errors");
  }
  fields.finish();
  return loadings;
}

std::vector<CovariateTerm> read_covariates(const std::vector<Document>& documents) {
  std::vector<CovariateTerm> terms;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    Fields fields(documents[i], fmt::format("covariates[{}]", i));
    CovariateTerm& term = terms.emplace_back();
    term.name = fields.text("name");
    if (fields.has("levels")) {
      term.levels = fields.texts("levels");
    } else if (fields.has("knots")) {
      term.knots = fields.numbers("knots");
    }
    fields.finish();
  }
  return terms;
}

/// Reads mean, rotation and encoders, which a view of version 1 holds directly.
PartModel read_part(Fields& fields, const std::string& path, const Parameters& parameters, const Levels& levels) {
  const auto trained = static_cast<std::size_t>(parameters.trained_components());
  PartModel part;
  part.mean = fields.numbers("mean", trained);
  part.rotation = read_matrix(fields, "rotation", trained, static_cast<std::size_t>(parameters.n_components));
  const std::vector<Document>& encoders = fields.objects("encoders");
  for (std::size_t e = 0; e < encoders.size(); ++e) {
    part.encoders.push_back(read_encoder(encoders[e], fmt::format("{}.encoders[{}]", path, e), trained, levels));
  }
  return part;
}

ViewModel read_view(const Document& document, const std::string& path, const Parameters& parameters, int version,
                    std::size_t covariate_columns) {
  const auto trained = static_cast<std::size_t>(parameters.trained_components());
  Fields fields(document, path);
  ViewModel view;
  view.name = fields.text("name");
  view.feature_names = fields.texts("feature_names");
  const std::size_t p = view.feature_names.size();
  if (version > 2) {
    if (fields.get("categories").kind != Document::Kind::null) {
      read_categories(fields.objects("categories"), fields.path("categories"), view);
    }
  }
  view.base_margin = read_map(fields.get("base_margin"), fields.path("base_margin"), p, trained, view.levels);
  // Only present if features were screened; never in files of the first release.
  if (fields.has("screening")) {
    view.screening = read_screening(fields.get("screening"), fields.path("screening"), p);
  }
  if (version == 1) {
    view.parts.push_back(read_part(fields, path, parameters, view.levels));
    fields.finish();
    return view;
  }
  if (fields.has("offset")) view.offset = fields.numbers("offset", p);  // rarely present
  view.linear = read_map(fields.get("linear"), fields.path("linear"), p,
                         static_cast<std::size_t>(parameters.n_components), view.levels);
  if (covariate_columns > 0) {
    view.covariate_effect = read_map(fields.get("covariate_effect"), fields.path("covariate_effect"), covariate_columns,
                                     static_cast<std::size_t>(parameters.n_components));
  }
  if (fields.has("mean")) view.mean = fields.numbers("mean", p);
  if (!view.linear.empty() || fields.has("deviation")) view.deviation = fields.numbers("deviation", p);
  if (fields.has("loadings")) {
    view.loadings = read_loadings(fields.get("loadings"), fields.path("loadings"), p,
                                  static_cast<std::size_t>(parameters.n_components));
  }
  const std::vector<Document>* parts = fields.has("parts") ? &fields.objects("parts") : nullptr;
  for (std::size_t i = 0; parts != nullptr && i < parts->size(); ++i) {
    const std::string part_path = fmt::format("{}.parts[{}]", path, i);
    Fields part_fields((*parts)[i], part_path);
    view.parts.push_back(read_part(part_fields, part_path, parameters, view.levels));
    part_fields.finish();
  }
  fields.finish();
  return view;
}

/// Files of version 1 have no standard errors: standard errors of independent rows are used.
void complete_correlations(Model& model) {
  Correlations& correlations = model.correlations;
  const auto samples = static_cast<double>(model.independent_samples);
  const std::size_t m = model.views.size();
  correlations.standard_errors = approximate_standard_errors(correlations.out_of_fold, samples);
  if (m > 1 && correlations.pairwise.size() == m * m * correlations.out_of_fold.size()) {  // check_model refuses others
    correlations.pairwise_standard_errors = approximate_standard_errors(correlations.pairwise, samples);
  }
  ComponentNumbers errors;  // of independent normal samples
  errors.per_component.assign(correlations.out_of_fold.size(), 1 / std::sqrt(std::max(1.0, samples)));
  errors.pairwise.assign(correlations.pairwise_standard_errors.size(), 1 / std::sqrt(std::max(1.0, samples)));
  set_noise_thresholds(correlations, errors, samples, samples);
  correlations.candidates = {{0.0, correlations.out_of_fold, true, total_correlation(correlations.out_of_fold)}};
}

BlendResult read_candidate(const Document& document, const std::string& path) {
  Fields fields(document, path);
  BlendResult candidate;
  candidate.linear = fields.number("linear");
  candidate.correlations = fields.numbers("correlations");
  candidate.judged = fields.number("judged");
  candidate.chosen = fields.boolean("chosen");
  fields.finish();
  return candidate;
}

Correlations read_correlations(const Document& document, int version) {
  Fields fields(document, "correlations");
  Correlations correlations;
  correlations.out_of_fold = fields.numbers("out_of_fold");
  if (version > 1) {
    correlations.standard_errors = fields.numbers("standard_errors");
    correlations.noise_thresholds = fields.numbers("noise_thresholds");
    const std::vector<Document>& candidates = fields.objects("candidates");
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      correlations.candidates.push_back(read_candidate(candidates[c], fmt::format("correlations.candidates[{}]", c)));
    }
  }
  correlations.in_sample = fields.numbers("in_sample");
  correlations.linear_out_of_fold = fields.numbers("linear_out_of_fold");
  correlations.linear_in_sample = fields.numbers("linear_in_sample");
  if (fields.has("linear_unadjusted")) correlations.linear_unadjusted = fields.numbers("linear_unadjusted");
  correlations.pairwise = fields.numbers("pairwise");
  if (version > 1) {
    correlations.pairwise_standard_errors = fields.numbers("pairwise_standard_errors");
    correlations.pairwise_noise_thresholds = fields.numbers("pairwise_noise_thresholds");
  }
  fields.finish();
  return correlations;
}

History read_history(const Document& document, std::size_t columns, int version) {
  Fields fields(document, "history");
  History history;
  history.tcc = fields.numbers("tcc");
  if (version > 1) {
    history.round = fields.numbers("round", history.tcc.size());
  } else {
    for (std::size_t i = 1; i <= history.tcc.size(); ++i) history.round.push_back(static_cast<double>(i));
  }
  history.loss = fields.numbers("loss");
  history.train_tcc = fields.numbers("train_tcc");
  const std::size_t rows = fields.numbers("variance").empty() ? 0 : history.tcc.size();
  history.variance = read_matrix(fields, "variance", rows, rows == 0 ? 0 : columns);
  fields.finish();
  return history;
}

std::vector<std::uint64_t> read_whole_numbers(Fields& fields, const char* key) {
  std::vector<std::uint64_t> numbers;
  for (const double number : fields.numbers(key)) {
    if (!is_whole_within(number, 0, kExactIntegers)) refuse_document(key, "must be an integer of at least 0");
    numbers.push_back(static_cast<std::uint64_t>(number));
  }
  return numbers;
}

}  // namespace

void refuse_newer_format(const Document& document) {
  const Document* format = document.find("format");
  const Document* version = document.find("format_version");
  if (format == nullptr || format->text != kModelFormatName || version == nullptr) return;
  if (version->kind == Document::Kind::number && version->number > kModelFormatVersion) {
    throw ModelError(fmt::format("it was written by a newer TreeCCA (format {}, this one reads up to {}).",
                                 version->number, kModelFormatVersion));
  }
}

Model model_from_document(const Document& document) {
  const Document* format = document.find("format");
  if (format == nullptr || format->text != kModelFormatName) {
    throw ModelError(fmt::format("it is not a TreeCCA model: its \"format\" is not \"{}\".", kModelFormatName));
  }
  refuse_newer_format(document);
  Fields fields(document, "");
  fields.text("format");
  const auto version = static_cast<int>(fields.whole("format_version", 1, kModelFormatVersion));
  fields.text("producer");
  if (fields.has("checksum")) fields.text("checksum");

  Model model;
  model.parameters = read_parameters(fields.get("parameters"), "parameters");
  model.asked = version > 1 ? read_parameters(fields.get("asked"), "asked") : model.parameters;
  require_values(model.parameters);
  if (fields.has("engine_params")) model.engine_params = read_engine_params(fields.get("engine_params"));
  const auto trained = static_cast<std::size_t>(model.parameters.trained_components());
  model.n_samples = static_cast<std::uint64_t>(fields.whole("n_samples", 0, kExactIntegers));
  // Absent from files of the first release.
  model.effective_samples =
      fields.has("effective_samples") ? fields.number("effective_samples") : static_cast<double>(model.n_samples);
  model.independent_samples = version > 1
                                  ? static_cast<std::uint64_t>(fields.whole("independent_samples", 0, kExactIntegers))
                                  : static_cast<std::uint64_t>(std::llround(model.effective_samples));
  if (fields.has("shared_samples")) model.shared_samples = read_whole_numbers(fields, "shared_samples");
  model.rounds = static_cast<std::uint64_t>(fields.whole("rounds", 0, kExactIntegers));
  if (fields.has("row_hashes")) model.row_hashes = read_whole_numbers(fields, "row_hashes");
  if (fields.has("covariates")) model.covariates = read_covariates(fields.objects("covariates"));
  const auto covariate_columns = static_cast<std::size_t>(number_of_columns(model.covariates));
  const std::vector<Document>& views = fields.objects("views");
  for (std::size_t v = 0; v < views.size(); ++v) {
    model.views.push_back(
        read_view(views[v], fmt::format("views[{}]", v), model.parameters, version, covariate_columns));
  }
  model.correlations = read_correlations(fields.get("correlations"), version);
  if (version == 1) complete_correlations(model);
  model.history = read_history(fields.get("history"), views.size() * trained, version);
  fields.finish();
  check_model(model);
  return model;
}

}  // namespace treecca
