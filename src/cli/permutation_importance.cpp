// treecca permutation-importance: measures how far correlations fall when the values of a feature are permuted.
#include "treecca/permutation_importance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "cli/data_options.hpp"
#include "cli/inputs.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/reading.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "report/files.hpp"
#include "report/inputs.hpp"
#include "report/ranking.hpp"
#include "report/text.hpp"
#include "support/document.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/fold_importance.hpp"
#include "treecca/new_data.hpp"

namespace treecca::cli {
namespace {

constexpr Index kUsualPermutations = 5;
constexpr Index kUsualDrops = 10;  // features in the table

/// One view and component: its features, the largest drop first.
struct RankedDrops {
  Index view, component;
  std::vector<FeatureShare> features;  // `share` is the drop in correlation
};

std::vector<RankedDrops> ranked_drops(const PermutationImportances& found, const std::vector<Index>& components) {
  std::vector<RankedDrops> result;
  for (std::size_t v = 0; v < found.drops.size(); ++v) {
    for (const Index k : components) {
      const Matrix<double>& drops = found.drops[v];
      result.push_back(
          {static_cast<Index>(v), k, treecca::ranked({drops.row(k), static_cast<std::size_t>(drops.cols())})});
    }
  }
  return result;
}

std::string drops_text(const Model& model, const PermutationImportances& found, const RankedDrops& entry, Index top) {
  const ViewModel& view = model.views[static_cast<std::size_t>(entry.view)];
  std::string text = fmt::format("{}: component cc{}, correlation {:.3f}\n", printable(view.name), entry.component + 1,
                                 found.correlations(entry.view, entry.component));
  TextTable table({"feature", "importance", "+-", ""}, "lrrl");
  const double longest = entry.features.empty() ? 0.0 : entry.features.front().share;
  std::size_t shown = 0;
  for (const FeatureShare& one : entry.features) {
    if (static_cast<Index>(shown) >= top) break;
    const double deviation = found.deviations[static_cast<std::size_t>(entry.view)](entry.component, one.feature);
    table.add_row({shortened(view.feature_names[static_cast<std::size_t>(one.feature)], 36),
                   fmt::format("{:.4f}", one.share), fmt::format("{:.4f}", deviation),
                   longest > 0 ? bar(one.share / longest, 30) : ""});
    ++shown;
  }
  text += table.to_string(2);
  if (entry.features.size() > shown) {
    text += fmt::format("  and {} more (--top {} shows all)\n", entry.features.size() - shown, entry.features.size());
  }
  return text + "\n";
}

/// Out-of-fold importances on the samples of the fit. `tables`: joined.
PermutationImportances out_of_fold_drops(const Arguments& arguments, Model model, std::vector<Table>& tables,
                                         const PermutationImportanceOptions& options) {
  DataOptions data;
  data.reading = given_reading_options(arguments);
  data.groups = arguments.text("groups");
  data.weights = arguments.text("weights");
  OutOfFoldImportanceOptions refits{.fit = fit_options_of(data, tables),
                                    .n_permutations = options.n_permutations,
                                    .random_state = options.random_state};
  refits.fit.covariates = options.covariates;
  if (refits.fit.groups.empty() && model.independent_samples < model.n_samples) {
    print_warnings(
        {"The model was fitted with groups. Give them here too (--groups), or samples of one group are both in the "
         "fits and left out."});
  }
  std::vector<View> views(model.views.size());
  for (const View& view : views_of(tables)) views[static_cast<std::size_t>(view_index(model, view.name))] = view;
  model.asked.n_jobs = options.n_jobs;
  const StopScope scope;
  ProgressLine progress(arguments.has("json") || arguments.has("csv"));
  refits.fit.stop = scope.flag();
  refits.fit.on_round = [&progress](const Progress& state) { progress.update(state); };
  PermutationImportances found = out_of_fold_importances(model, views, refits);
  throw_if_stopped();
  return found;
}

void run_permutation_importance(const Arguments& arguments) {
  const std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  const Parameters parameters = parse_parameters(arguments.parameters());
  const std::optional<Index> top = top_of(arguments);
  PermutationImportanceOptions options;
  options.n_permutations = arguments.integer("n_permutations").value_or(kUsualPermutations);
  options.n_jobs = parameters.n_jobs;
  options.random_state = parameters.random_state;
  const bool out_of_fold = arguments.has("out_of_fold");
  for (const std::string name : {"groups", "weights"}) {
    if (arguments.has(name) && !out_of_fold) {
      throw UsageError(
          fmt::format("--{} is for the refits of --out_of_fold. Leave it out, or add --out_of_fold.", name));
    }
  }
  const Model model = load_model(arguments.text("MODEL"));
  for (const ViewFile& file : files) view_index(model, file.name, "Name one with --view NAME=FILE.");
  check_all_views_given(model, files, "permutation-importance");
  std::vector<Index> components(static_cast<std::size_t>(model.n_components()));
  std::iota(components.begin(), components.end(), Index{0});
  if (const std::optional<Index> one = component_of(arguments, model)) components = {*one};
  std::vector<Table> tables = read_views_of(model, files, read_options_of(arguments, files), parameters.n_jobs);
  const JoinedInputs inputs = join_inputs(tables, paths_of(files), join_of(arguments));
  print_warnings(inputs.warnings);
  std::vector<MatrixView> values(model.views.size());
  for (const Table& table : tables) values[static_cast<std::size_t>(view_index(model, table.name))] = table.values;
  options.covariates = covariates_for(model, covariate_file_of(arguments), tables.front());
  const SeenSamples seen = seen_samples(model, values, parameters.n_jobs);
  PermutationImportances found;
  if (out_of_fold) {
    found = out_of_fold_drops(arguments, model, tables, options);
  } else {
    const StopScope scope;
    options.stop = scope.flag();
    found = permutation_importances(model, values, options);
    throw_if_stopped();
  }
  if (seen.share > 0 && !out_of_fold) {
    print_warnings(
        {"The model was fitted to some of these samples, so these importances are in-sample: features look important "
         "if trees fitted their noise. Use other samples, or --out_of_fold."});
  }
  const std::vector<RankedDrops> all = ranked_drops(found, components);
  if (arguments.has("csv")) print_text("view,component,feature,importance,deviation\n");
  Document document = Document::object();
  std::vector<Document> entries;
  if (!arguments.has("json") && !arguments.has("csv")) print("{}\n", inputs_text(inputs));
  for (const RankedDrops& entry : all) {
    const ViewModel& view = model.views[static_cast<std::size_t>(entry.view)];
    if (!arguments.has("json") && !arguments.has("csv")) {
      print("{}", drops_text(model, found, entry, top.value_or(kUsualDrops)));
      continue;
    }
    std::vector<Document> features;
    Index shown = 0;
    for (const FeatureShare& one : entry.features) {
      if (shown++ >= top.value_or(std::numeric_limits<Index>::max())) break;
      const std::string& name = view.feature_names[static_cast<std::size_t>(one.feature)];
      const double deviation = found.deviations[static_cast<std::size_t>(entry.view)](entry.component, one.feature);
      if (arguments.has("csv")) {
        print("{},cc{},{},{},{}\n", csv_cell(view.name), entry.component + 1, csv_cell(name), one.share, deviation);
      } else {
        features.push_back(
            Document::object().add("feature", name).add("importance", one.share).add("deviation", deviation));
      }
    }
    entries.push_back(Document::object()
                          .add("view", view.name)
                          .add("component", entry.component + 1)
                          .add("correlation", found.correlations(entry.view, entry.component))
                          .add("features", Document(std::move(features))));
  }
  if (arguments.has("json")) {
    document.add("n_samples", inputs.matched)
        .add("n_permutations", options.n_permutations)
        .add("in_sample", seen.in_sample() && !out_of_fold)
        .add("out_of_fold", out_of_fold)
        .add("importances", Document(std::move(entries)));
    print_text(write_json(document, DocumentStyle::typed));
  } else if (!arguments.has("csv")) {
    print("{}", wrapped("importance: how far the correlation of the view with the others falls when the values of the "
                        "feature are permuted; +-: standard deviation over the permutations. Correlated features "
                        "replace each other, so each looks less important.",
                        0));
  }
}

}  // namespace

Verb permutation_importance_verb() {
  Option seed = seed_option();
  seed.help = "Seed of the permutations. The same seed gives the same result. [0]";
  return {
      .name = "permutation-importance",
      .help = "Measure how much each feature contributes to the correlations, by permuting it",
      .options = combined(
          {{model_argument(),
            {.name = "view",
             .value = "[NAME=]FILE",
             .help =
                 "Table of new samples, or with --out_of_fold of the samples of the fit. Give every view of the model.",
             .repeats = true},
            join_option(),
            {.name = "out_of_fold",
             .kind = Option::Kind::flag,
             .help = "Use the samples of the fit: refit without each fifth of them, and measure on that fifth."},
            {.name = "groups",
             .value = "FILE",
             .help = "With --out_of_fold: the groups of the fit. A group is left out as a whole."},
            {.name = "weights", .value = "FILE", .help = "With --out_of_fold: the weights of the fit."},
            {.name = "n_permutations",
             .kind = Option::Kind::integer,
             .value = "N",
             .help = fmt::format("Number of permutations of each feature. [{}]", kUsualPermutations)},
            component_option("[each]"),
            top_option(fmt::format("Number of features per view and component. [{} in the table, all in JSON "
                                   "and CSV]",
                                   kUsualDrops)),
            {.name = "json", .kind = Option::Kind::flag, .help = "Print JSON."},
            {.name = "csv", .kind = Option::Kind::flag, .help = "Print CSV.", .excludes = "json"},
            model_covariates_option(),
            seed,
            threads_option()},
           reading_options()}),
      .footer =
          "Example:\n  treecca permutation-importance run/model.json --view rna=rna_test.csv "
          "--view prot=prot_test.csv",
      .run = run_permutation_importance,
  };
}

}  // namespace treecca::cli
