// treecca stability: measures which components and features reappear in fits to other samples.
#include "treecca/stability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/refit_inputs.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "report/files.hpp"
#include "report/pairs.hpp"
#include "report/text.hpp"
#include "support/document.hpp"
#include "support/order.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/intervals.hpp"

namespace treecca::cli {
namespace {

constexpr const char* kComponentsFile = "stability.csv";
constexpr const char* kFeaturesFile = "stability_features.csv";
constexpr const char* kPairsFile = "stability_pairs.csv";
constexpr Index kShownFeatures = 5;
constexpr Index kComponentsWithFeatures = 4;
constexpr std::size_t kNameWidth = 30;

std::string number_and_range(double number, double low, double high) {
  return fmt::format("{:.2f} {:>14}", number, fmt::format("[{:.2f}, {:.2f}]", low, high));
}

std::string range_cell(const RefitRange& range, std::size_t c) {
  if (range.mean.empty()) return "-";
  return number_and_range(range.mean[c], range.low[c], range.high[c]);
}

/// The fits of a range in words. Of few fits, 95% are all or nearly all, so only their number is named.
std::string fits_in_range(Index fits, std::string_view one, std::string_view many) {
  constexpr Index kFew = 20;
  if (fits == 1) return fmt::format("the only {}", one);
  return fmt::format("{} {} {}", fits < kFew ? "the" : "95% of the", fits, many);
}

std::string components_text(const Stability& stability, const Model& model, Index n_seeds) {
  const std::vector<double>& correlations = model.correlations.out_of_fold;
  const std::vector<Interval> intervals = correlation_intervals(model).per_component;
  TextTable table({"component", "out-of-fold", "found again", "one to one", "other seeds"}, "lrrrr");
  for (std::size_t c = 0; c < stability.agreement.mean.size(); ++c) {
    table.add_row({fmt::format("cc{}", c + 1),
                   intervals.empty() ? "-" : number_and_range(correlations[c], intervals[c].low, intervals[c].high),
                   range_cell(stability.recovered, c), range_cell(stability.agreement, c),
                   range_cell(stability.seed_agreement, c)});
  }
  std::string text = "Components in fits to halves of the samples\n" + table.to_string(2);
  text += wrapped(
      "out-of-fold: correlation with its 95% interval. found again: correlation of the variates of fits to two "
      "halves, which share no sample, after rotation towards the model. one to one: the same without this rotation; if "
      "it is much lower, components have mixed: interpret them together. other seeds: the same for fits to all "
      "samples. " +
          fmt::format(
              "In brackets the range of {}{}.",
              fits_in_range(stability.pair_agreement.rows(), "pair", "pairs of halves"),
              n_seeds == 0 ? "" : fmt::format(", and of {}", fits_in_range(n_seeds, "other seed", "other seeds"))),
      2);
  return text + "\n" + wrapped(stability.reason, 0);
}

/// The features of a component that are selected most often; ties by importance.
std::vector<Index> shown_features(const FeatureStability& features, Index component) {
  const Index p = features.frequency.cols();
  std::vector<Index> order = descending_order(
      p, [&](Index j) { return 2 * features.frequency(component, j) + features.importance(component, j) / 2; });
  order.resize(static_cast<std::size_t>(std::min(p, kShownFeatures)));
  std::erase_if(order, [&](Index j) { return !(features.frequency(component, j) > 0); });
  return order;
}

std::string features_text(const Stability& stability, const Model& model) {
  const Index shown = std::clamp<Index>(stability.suggested, 1, kComponentsWithFeatures);
  std::string text;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const FeatureStability& features = stability.features[v];
    TextTable table({"feature", "component", "selected", "importance"}, "llrr");
    for (Index c = 0; c < shown; ++c) {
      for (const Index j : shown_features(features, c)) {
        table.add_row({shortened(model.views[v].feature_names[static_cast<std::size_t>(j)], kNameWidth),
                       fmt::format("cc{}", c + 1), percent(features.frequency(c, j)),
                       fmt::format("{:.3f} [{:.3f}, {:.3f}]", features.importance(c, j), features.low(c, j),
                                   features.high(c, j))});
      }
    }
    text += fmt::format("\nFeatures of {}: how often among the {} most important\n{}", printable(model.views[v].name),
                        features.n_top, table.to_string(2));
  }
  return text;
}

std::string components_csv(const Stability& stability, const Model& model) {
  const std::vector<Interval> intervals = correlation_intervals(model).per_component;
  std::string csv =
      "component,correlation,low,high,recovered,recovered_low,recovered_high,agreement,agreement_low,agreement_high,"
      "seed_agreement,seed_agreement_low,seed_agreement_high\n";
  for (std::size_t c = 0; c < stability.agreement.mean.size(); ++c) {
    csv += fmt::format("cc{}", c + 1);
    csv += intervals.empty()
               ? ",,,"
               : fmt::format(",{},{},{}", model.correlations.out_of_fold[c], intervals[c].low, intervals[c].high);
    for (const RefitRange* range : {&stability.recovered, &stability.agreement, &stability.seed_agreement}) {
      csv += range->mean.empty() ? ",,," : fmt::format(",{},{},{}", range->mean[c], range->low[c], range->high[c]);
    }
    csv += "\n";
  }
  return csv;
}

std::string features_csv(const Stability& stability, const Model& model) {
  std::string csv = "view,feature,component,importance,low,high,frequency\n";
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const FeatureStability& features = stability.features[v];
    for (Index j = 0; j < features.importance.cols(); ++j) {
      for (Index c = 0; c < features.importance.rows(); ++c) {
        csv +=
            fmt::format("{},{},cc{},{},{},{},{}\n", csv_cell(model.views[v].name),
                        csv_cell(model.views[v].feature_names[static_cast<std::size_t>(j)]), c + 1,
                        features.importance(c, j), features.low(c, j), features.high(c, j), features.frequency(c, j));
      }
    }
  }
  return csv;
}

std::string pairs_csv(const Stability& stability) {
  std::string csv = "pair,component,correlation_first,correlation_second,recovered,agreement\n";
  for (Index b = 0; b < stability.pair_agreement.rows(); ++b) {
    for (Index c = 0; c < stability.pair_agreement.cols(); ++c) {
      csv += fmt::format("{},cc{},{},{},{},{}\n", b + 1, c + 1, stability.subsample_correlations(2 * b, c),
                         stability.subsample_correlations(2 * b + 1, c), stability.pair_recovered(b, c),
                         stability.pair_agreement(b, c));
    }
  }
  return csv;
}

Document range_document(const RefitRange& range) {
  return Document::object().add("mean", range.mean).add("low", range.low).add("high", range.high);
}

Document rows_document(const Matrix<double>& matrix) {
  std::vector<Document> rows;
  for (Index i = 0; i < matrix.rows(); ++i) {
    rows.emplace_back(std::vector<double>(matrix.row(i), matrix.row(i) + matrix.cols()));
  }
  return Document(std::move(rows));
}

Document stability_document(const Stability& stability, const Model& model) {
  std::vector<Document> views;
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    const FeatureStability& features = stability.features[v];
    views.push_back(Document::object()
                        .add("name", model.views[v].name)
                        .add("n_top", features.n_top)
                        .add("features", model.views[v].feature_names)
                        .add("importances", rows_document(features.importance))
                        .add("low", rows_document(features.low))
                        .add("high", rows_document(features.high))
                        .add("frequencies", rows_document(features.frequency)));
  }
  return Document::object()
      .add("suggested_n_components", stability.suggested)
      .add("reason", stability.reason)
      .add("correlations", model.correlations.out_of_fold)
      .add("correlation_intervals", intervals_document(correlation_intervals(model).per_component))
      .add("recovered", range_document(stability.recovered))
      .add("agreement", range_document(stability.agreement))
      .add("seed_agreement", range_document(stability.seed_agreement))
      .add("n_subsamples", stability.subsample_correlations.rows())
      .add("subsample_correlations", rows_document(stability.subsample_correlations))
      .add("pair_recovered", rows_document(stability.pair_recovered))
      .add("pair_agreement", rows_document(stability.pair_agreement))
      .add("views", Document(std::move(views)));
}

void run_stability(const Arguments& arguments) {
  StabilityOptions options;
  options.n_subsamples = arguments.integer("n_subsamples").value_or(options.n_subsamples);
  options.n_seeds = arguments.integer("n_seeds").value_or(options.n_seeds);
  if (const std::optional<Index> top = arguments.integer("n_top")) {
    if (*top < 1) throw UsageError(fmt::format("--n_top must be at least 1, not {}.", *top));
    options.n_top = *top;
  }
  for (const std::string& text : arguments.texts("p_value")) options.p_values.push_back(std::stod(text));
  options.random_state = parse_parameters(arguments.parameters()).random_state;
  const RefitInputs inputs(arguments, {kComponentsFile, kFeaturesFile, kPairsFile}, "results look too stable");
  Stability result;
  {
    const StopScope scope;
    ProgressLine progress(arguments.has("json") || arguments.has("quiet"));
    options.fit = inputs.options(scope, progress);
    result = stability(inputs.model(), inputs.views(), options);
    throw_if_stopped();
  }
  if (inputs.out()) {
    write_folder(*inputs.out(), {{kComponentsFile, [&] { return components_csv(result, inputs.model()); }},
                                 {kFeaturesFile, [&] { return features_csv(result, inputs.model()); }},
                                 {kPairsFile, [&] { return pairs_csv(result); }}});
  }
  if (arguments.has("json")) {
    print_text(write_json(stability_document(result, inputs.model()), DocumentStyle::typed));
  } else if (!arguments.has("quiet")) {
    print("{}{}", components_text(result, inputs.model(), options.n_seeds), features_text(result, inputs.model()));
    if (inputs.out()) {
      print("\nWrote {}, {} and {} to {}\n", kComponentsFile, kFeaturesFile, kPairsFile,
            printable(inputs.out()->path()));
    }
  }
}

}  // namespace

Verb stability_verb() {
  Option seed = seed_option();
  seed.help = "Seed of the halves and of the fits to them. The same seed gives the same result. [0]";
  return {
      .name = "stability",
      .help = "Measure which components and features reappear in refits; suggest a number of components",
      .options = refit_options(
          {{.name = "n_subsamples",
            .kind = Option::Kind::integer,
            .value = "N",
            .help = "Number of fits to half of the samples; even. [50]"},
           {.name = "n_seeds",
            .kind = Option::Kind::integer,
            .value = "N",
            .help = "Number of fits to all samples with other seeds. 0: none. [5]"},
           {.name = "n_top",
            .kind = Option::Kind::integer,
            .value = "N",
            .help = "Number of features per component that count as selected. [square root of 0.8 times the features]"},
           {.name = "p_value",
            .kind = Option::Kind::number,
            .value = "P",
            .help =
                "A p-value by permutation-test, for the suggested number of components. Repeat for each component, in "
                "the order of the test (descending correlation). [noise thresholds decide]",
            .repeats = true}},
          "Folder for the results (CSV).", seed),
      .files = {{kComponentsFile, "Per component: how well the refits recover it, with ranges."},
                {kFeaturesFile, "Per feature and component: importance, its range, and how often it is selected."},
                {kPairsFile, "Per pair of half-samples and component: correlations and agreement."}},
      .footer = "Example:\n  treecca stability run/model.json --view rna=rna.csv --view prot=prot.tsv",
      .run = run_stability,
  };
}

}  // namespace treecca::cli
