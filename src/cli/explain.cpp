// treecca explain: shows the contribution of each feature to the variates of samples (SHAP values).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "cli/data_options.hpp"
#include "cli/inputs.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "report/file_names.hpp"
#include "report/files.hpp"
#include "report/ranking.hpp"
#include "report/text.hpp"
#include "support/document.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/shap.hpp"
#include "treecca/transform.hpp"

namespace treecca::cli {
namespace {

using Contributions = std::vector<FeatureContribution>;

struct ExplainedView {
  const Table* table;
  ShapValues shap;
  Index samples;                                // that have the view
  Matrix<double> covariate_effect;              // N x K, subtracted from the base values
  std::vector<Contributions> contributions;     // per component shown: all features with a contribution
  std::vector<std::vector<FeaturePair>> pairs;  // the same for interacting pairs; empty without --interactions
};

/// The first `top` elements; all if there is no limit.
Contributions first_of(const Contributions& all, std::optional<Index> top) {
  const auto shown = std::min(all.size(), static_cast<std::size_t>(top.value_or(static_cast<Index>(all.size()))));
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown)};
}

const std::string& contributor(const ExplainedView& view, const FeatureContribution& entry) {
  return view.table->feature_names[static_cast<std::size_t>(entry.feature)];
}

void print_contributions(const ExplainedView& view, Index component, const Contributions& all,
                         std::optional<Index> top) {
  constexpr Index kUsualTop = 10;
  constexpr int kBarWidth = 30;
  print("{}: mean |SHAP| over {} samples, component cc{}\n", printable(view.table->name), view.samples, component + 1);
  if (all.empty()) {
    print("  The variates do not depend on any feature here.\n\n");
    return;
  }
  TextTable table({"feature", "mean |SHAP|", "r", ""}, "lrrl");
  for (const FeatureContribution& entry : first_of(all, top.value_or(kUsualTop))) {
    table.add_row({shortened(contributor(view, entry), 36), fmt::format("{:.4f}", entry.mean_abs),
                   std::isnan(entry.correlation) ? "" : fmt::format("{:+.2f}", entry.correlation),
                   bar(entry.mean_abs / all.front().mean_abs, kBarWidth)});
  }
  print("{}", table.to_string(2));
  const auto shown = static_cast<std::size_t>(top.value_or(kUsualTop));
  if (all.size() > shown) print("  and {} more (--top {} shows all)\n", all.size() - shown, all.size());
  print("\n");
}

void print_pairs(const ExplainedView& view, Index component, const std::vector<FeaturePair>& all,
                 std::optional<Index> top) {
  constexpr Index kUsualTop = 10;
  constexpr int kBarWidth = 30;
  print("{}: interactions, component cc{}\n", printable(view.table->name), component + 1);
  TextTable table({"features", "", "mean |interaction|", ""}, "llrl");
  const auto shown = std::min(all.size(), static_cast<std::size_t>(top.value_or(kUsualTop)));
  const auto name = [&](Index feature) {
    return shortened(view.table->feature_names[static_cast<std::size_t>(feature)], 26);
  };
  for (std::size_t i = 0; i < shown; ++i) {
    table.add_row({name(all[i].first), name(all[i].second), fmt::format("{:.4f}", all[i].mean_abs),
                   bar(all[i].mean_abs / all.front().mean_abs, kBarWidth)});
  }
  print("{}", all.empty() ? "  No two features interact here.\n" : table.to_string(2));
  if (all.size() > shown) print("  and {} more (--top {} shows all)\n", all.size() - shown, all.size());
  print("\n");
}

std::string pairs_csv(const ExplainedView& view, const std::vector<FeaturePair>& pairs) {
  std::string csv = "feature,other,mean_abs_shap\n";
  for (const FeaturePair& pair : pairs) {
    csv += fmt::format("{},{},{}\n", csv_cell(view.table->feature_names[static_cast<std::size_t>(pair.first)]),
                       csv_cell(view.table->feature_names[static_cast<std::size_t>(pair.second)]), pair.mean_abs);
  }
  return csv;
}

Document pairs_document(const ExplainedView& view, const std::vector<FeaturePair>& all, std::optional<Index> top) {
  std::vector<Document> pairs;
  for (const FeaturePair& pair : all) {
    if (top && static_cast<Index>(pairs.size()) >= *top) break;
    pairs.push_back(Document::object()
                        .add("feature", view.table->feature_names[static_cast<std::size_t>(pair.first)])
                        .add("other", view.table->feature_names[static_cast<std::size_t>(pair.second)])
                        .add("mean_abs_shap", pair.mean_abs));
  }
  return Document(std::move(pairs));
}

Document views_document(const std::vector<ExplainedView>& views, const std::vector<Index>& components,
                        std::optional<Index> top) {
  Document document = Document::object();
  for (const ExplainedView& view : views) {
    std::vector<Document> of_view;
    for (std::size_t c = 0; c < components.size(); ++c) {
      std::vector<Document> features;
      for (const FeatureContribution& entry : first_of(view.contributions[c], top)) {
        features.push_back(Document::object()
                               .add("feature", contributor(view, entry))
                               .add("mean_abs_shap", entry.mean_abs)
                               .add("correlation", entry.correlation));
      }
      Document entry = Document::object()
                           .add("component", components[c] + 1)
                           .add("base_value", view.shap.base_values[static_cast<std::size_t>(components[c])])
                           .add("features", std::move(features));
      if (!view.pairs.empty()) entry.add("interactions", pairs_document(view, view.pairs[c], top));
      of_view.push_back(std::move(entry));
    }
    document.add(view.table->name,
                 Document::object().add("n_samples", view.samples).add("components", std::move(of_view)));
  }
  return document;
}

/// Files of every view and component, with all features; `views` must outlive them.
std::vector<OutputFile> shap_files(const std::vector<ExplainedView>& views, const std::vector<Index>& components) {
  std::vector<OutputFile> files;
  for (const ExplainedView& view : views) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      std::vector<Index> features;
      for (const FeatureContribution& entry : view.contributions[c]) features.push_back(entry.feature);
      files.push_back({shap_file(view.table->name, components[c]), [&view, features, component = components[c]] {
                         return shap_csv(view.table->sample_ids, view.table->feature_names, view.shap,
                                         view.covariate_effect, component, features);
                       }});
      if (view.pairs.empty()) continue;
      files.push_back(
          {interactions_file(view.table->name, components[c]), [&view, c] { return pairs_csv(view, view.pairs[c]); }});
    }
  }
  return files;
}

void run_explain(const Arguments& arguments) {
  const std::string model_path = arguments.text("MODEL");
  const std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  if (files.empty()) throw UsageError("explain needs at least one view; name it with --view NAME=FILE.");
  const Parameters parameters = parse_parameters(arguments.parameters());
  const std::optional<Index> top = top_of(arguments);
  std::optional<OutputFolder> folder;
  if (arguments.has("out")) folder.emplace(arguments.text("out"));

  const Model model = load_model(model_path);
  std::vector<Index> components(static_cast<std::size_t>(model.n_components()));
  std::iota(components.begin(), components.end(), Index{0});
  if (const std::optional<Index> one = component_of(arguments, model)) components = {*one};
  if (folder) {
    std::vector<std::string> read = paths_of(files);
    read.push_back(model_path);
    std::vector<std::string> written;
    for (const ViewFile& file : files) {
      for (const Index c : components) {
        written.push_back(folder->path() + "/" + shap_file(file.name, c));
        if (arguments.has("interactions")) written.push_back(folder->path() + "/" + interactions_file(file.name, c));
      }
    }
    refuse_overwriting(written, read);
  }

  const std::vector<Table> tables = read_views_of(model, files, read_options_of(arguments, files), parameters.n_jobs);
  std::vector<ExplainedView> views;
  for (const Table& table : tables) {
    print_warnings(table.notes);
    const Index view = view_index(model, table.name);
    Matrix<double> effect =
        covariate_effect(model, view, covariates_for(model, covariate_file_of(arguments), table), table.values.rows());
    ShapValues shap = shap_values(model, view, table.values, parameters.n_jobs);
    const Index samples = explained_rows(table.values, shap);
    views.push_back({&table, std::move(shap), samples, std::move(effect), {}, {}});
    for (const Index c : components) {
      views.back().contributions.push_back(ranked_contributions(table.values, views.back().shap, c));
      for (FeatureContribution& entry : views.back().contributions.back()) {  // categories have no direction
        const auto feature = static_cast<std::size_t>(entry.feature);
        if (!table.levels.empty() && !table.levels[feature].empty()) entry.correlation = std::nan("");
      }
      if (!arguments.has("interactions")) continue;
      views.back().pairs.push_back(interacting_pairs(model, view, table.values, c, parameters.n_jobs));
    }
  }
  if (folder) write_folder(*folder, shap_files(views, components));
  if (arguments.has("json")) {
    print_text(write_json(views_document(views, components, top), DocumentStyle::typed));
    return;
  }
  for (const ExplainedView& view : views) {
    for (std::size_t c = 0; c < components.size(); ++c) {
      print_contributions(view, components[c], view.contributions[c], top);
      if (!view.pairs.empty()) print_pairs(view, components[c], view.pairs[c], top);
    }
  }
  print("{}", wrapped("|SHAP|: how far a feature moves the variate of a sample from the base value. r: correlation of "
                      "the feature with its SHAP values; +: high values raise the variate, -: they lower it, near 0: "
                      "the relation is not monotone.",
                      0));
  if (folder) print("SHAP values of every sample: {}\n", printable(folder->path()));
}

}  // namespace

Verb explain_verb() {
  return {
      .name = "explain",
      .help = "Show the contribution of each feature to the variates of samples (SHAP values)",
      .options =
          combined({{model_argument(),
                     {.name = "view",
                      .value = "[NAME=]FILE",
                      .help = "Table of new or training samples of one of the model's views. Features are matched by "
                              "name. May be repeated.",
                      .repeats = true},
                     component_option("[each]"),
                     {.name = "interactions",
                      .kind = Option::Kind::flag,
                      .help = "Also list pairs of features that interact: their mean joint contribution, beyond the "
                              "contributions of each alone."},
                     top_option("Number of features (and pairs) per view and component in the table and in JSON; "
                                "files have all. [10 in the table, all in JSON]"),
                     {.name = "out", .value = "DIR", .help = "Folder for the values of every sample (CSV)."},
                     {.name = "json", .kind = Option::Kind::flag, .help = "Print JSON."},
                     model_covariates_option(),
                     threads_option()},
                    reading_options()}),
      .files = {{"shap_VIEW_ccN.csv",
                 "Per sample: variate, base value, and the SHAP values of the features that contribute, the most "
                 "important first. variate = base_value + all SHAP values. With covariates, the base value contains "
                 "their effect on the sample. Cells of samples that lack the view are empty."},
                {"interactions_VIEW_ccN.csv", "The pairs of --interactions."}},
      .footer = "Example:\n  treecca explain run/model.json --view rna=rna.csv --component 1 --out shap_values/",
      .run = run_explain,
  };
}

}  // namespace treecca::cli
