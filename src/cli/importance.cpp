// treecca importance: shows which features drive the components.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "cli/data_options.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "report/files.hpp"
#include "report/ranking.hpp"
#include "report/text.hpp"
#include "support/document.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/importance.hpp"

namespace treecca::cli {
namespace {

constexpr Index kAll = std::numeric_limits<Index>::max();

struct Ranking {
  std::string kind;
  std::optional<Index> component;  // empty: all together
  std::optional<Index> top;
};

std::vector<FeatureShare> ranked(const Model& model, Index view, const Ranking& ranking, Index top) {
  std::vector<FeatureShare> found = ranked_features(model, view, importance_kind(ranking.kind), ranking.component);
  found.resize(std::min(found.size(), static_cast<std::size_t>(top)));
  return found;
}

const std::string& name_of(const Model& model, Index view, const FeatureShare& entry) {
  return model.views[static_cast<std::size_t>(view)].feature_names[static_cast<std::size_t>(entry.feature)];
}

void print_view(const Model& model, Index view, const Ranking& ranking) {
  constexpr Index kUsualTop = 10;
  constexpr int kBarWidth = 40;
  const ViewModel& named = model.views[static_cast<std::size_t>(view)];
  const std::vector<FeatureShare> found = ranked(model, view, ranking, ranking.top.value_or(kUsualTop));
  const std::string whole = ranking.kind == "trees"    ? "the gain of the trees"
                            : ranking.kind == "linear" ? "linear CCA"
                            : ranking.kind == "gain"   ? gain_in_words(model)
                                                       : "the " + ranking.kind;
  print("{}: percentages of {}, {}\n", printable(named.name), whole,
        ranking.component ? fmt::format("component cc{}", *ranking.component + 1) : "all components");
  TextTable table({"feature", "share", ""}, "lrl");
  const double longest = found.empty() ? 0 : found.front().share;
  for (const FeatureShare& entry : found) {
    table.add_row({shortened(name_of(model, view, entry), 36), percent(entry.share),
                   longest > 0 ? bar(entry.share / longest, kBarWidth) : ""});
  }
  print("{}", table.to_string(2));
  const std::size_t more = named.feature_names.size() - found.size();
  if (more > 0) print("  and {} more (--top {} shows all)\n", more, named.feature_names.size());
  print("\n");
}

/// A note if importances over all components include components below noise; else empty.
std::string noise_note(const Model& model) {
  const std::vector<bool> above = model.found();
  const auto below = std::count(above.begin(), above.end(), false);
  if (below == 0) return "";
  return wrapped(
      fmt::format("These importances include {} of {} components below noise. For one component, use --component.",
                  below, above.size()),
      0);
}

void run_importance(const Arguments& arguments) {
  const std::optional<Index> top = top_of(arguments);
  const Model model = load_model(arguments.text("MODEL"));
  const Ranking ranking{arguments.text("kind", "gain"), component_of(arguments, model), top};
  const bool csv = arguments.has("csv");
  const bool json_wanted = arguments.has("json");
  const double linear = model.parameters.linear;
  if (linear == 0 && ranking.kind == "linear") {
    throw UsageError("The variates are trees alone, so linear CCA has no importances. Use --kind gain.");
  }
  if (linear == 1 && ranking.kind != "linear" && ranking.kind != "gain") {
    throw UsageError(
        fmt::format("The variates are linear CCA alone, so there is no --kind {}. Use --kind gain.", ranking.kind));
  }
  std::vector<Index> views(model.views.size());
  std::iota(views.begin(), views.end(), Index{0});
  if (arguments.has("view")) views = {view_index(model, arguments.text("view"))};

  Document shares = Document::object();
  if (csv) print("view,feature,{}\n", ranking.kind);
  for (const Index view : views) {
    const std::string& name = model.views[static_cast<std::size_t>(view)].name;
    if (!json_wanted && !csv) {
      print_view(model, view, ranking);
      continue;
    }
    std::vector<Document> of_view;
    for (const FeatureShare& entry : ranked(model, view, ranking, ranking.top.value_or(kAll))) {
      const std::string& feature = name_of(model, view, entry);
      if (csv) print("{},{},{}\n", csv_cell(name), csv_cell(feature), entry.share);
      of_view.push_back(Document::object().add("feature", feature).add(ranking.kind, entry.share));
    }
    shares.add(name, std::move(of_view));
  }
  if (json_wanted) print_text(write_json(shares, DocumentStyle::typed));
  if (!json_wanted && !csv && !ranking.component) print("{}", noise_note(model));
}

}  // namespace

Verb importance_verb() {
  return {
      .name = "importance",
      .help = "Show which features drive the components",
      .options =
          {model_argument(),
           {.name = "view", .value = "NAME", .help = "Only this view."},
           {.name = "kind",
            .choices = {"gain", "trees", "linear", "cover", "splits"},
            .help =
                "Measure of importance. gain: fraction of the loss reduction, blended with linear CCA as in "
                "the variates; trees, linear: only this part; cover: training rows at the splits; splits: number of "
                "splits. [gain]"},
           component_option("[all together]"),
           top_option("Number of features per view. [10 in the table, all in JSON and CSV]"),
           {.name = "json", .kind = Option::Kind::flag, .help = "Print JSON."},
           {.name = "csv", .kind = Option::Kind::flag, .help = "Print CSV.", .excludes = "json"}},
      .footer = "Example:\n  treecca importance run/model.json --view rna --component 1",
      .run = run_importance,
  };
}

}  // namespace treecca::cli
