// treecca importance: which features drive the components.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "cli/fit_report.hpp"
#include "cli/output.hpp"
#include "cli/ranking.hpp"
#include "cli/result_files.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "treecca/error.hpp"
#include "treecca/importance.hpp"

namespace treecca::cli {
namespace {

constexpr Index kAll = std::numeric_limits<Index>::max();

struct Settings {
  std::string model;
  std::string view;
  std::string kind = "gain";
  std::optional<Index> component;  // from 1; none = all together
  std::optional<Index> top;
  bool json = false;
  bool csv = false;
};

std::vector<FeatureShare> ranked(const Model& model, Index view, const Settings& settings, Index top) {
  std::optional<Index> component;
  if (settings.component) component = *settings.component - 1;
  std::vector<FeatureShare> found = ranked_features(model, view, importance_kind(settings.kind), component);
  found.resize(std::min(found.size(), static_cast<std::size_t>(top)));
  return found;
}

const std::string& name_of(const Model& model, Index view, const FeatureShare& entry) {
  return model.views[static_cast<std::size_t>(view)].feature_names[static_cast<std::size_t>(entry.feature)];
}

void print_view(const Model& model, Index view, const Settings& settings) {
  constexpr Index kUsualTop = 10;
  constexpr int kBarWidth = 40;
  const ViewModel& named = model.views[static_cast<std::size_t>(view)];
  const std::vector<FeatureShare> found = ranked(model, view, settings, settings.top.value_or(kUsualTop));
  print("{}: share of the {}, {}\n", printable(named.name), settings.kind,
        settings.component ? fmt::format("component cc{}", *settings.component) : "all components");
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

void run(const Settings& settings) {
  const Model model = load_model(settings.model);
  importance_kind(settings.kind);
  if (settings.top && *settings.top < 1) {
    throw UsageError(fmt::format("--top must be at least 1, not {}.", *settings.top));
  }
  if (settings.component && (*settings.component < 1 || *settings.component > model.n_components())) {
    throw UsageError(fmt::format("--component must be from 1 to {}, the number of components of the model, not {}.",
                                 model.n_components(), *settings.component));
  }
  std::vector<Index> views(model.views.size());
  std::iota(views.begin(), views.end(), Index{0});
  if (!settings.view.empty()) views = {view_index(model, settings.view)};

  nlohmann::ordered_json json;
  if (settings.csv) print("view,feature,{}\n", settings.kind);
  for (const Index view : views) {
    const std::string& name = model.views[static_cast<std::size_t>(view)].name;
    if (!settings.json && !settings.csv) {
      print_view(model, view, settings);
      continue;
    }
    for (const FeatureShare& entry : ranked(model, view, settings, settings.top.value_or(kAll))) {
      const std::string& feature = name_of(model, view, entry);
      if (settings.csv) print("{},{},{}\n", csv_cell(name), csv_cell(feature), entry.share);
      json[name].push_back({{"feature", feature}, {settings.kind, entry.share}});
    }
  }
  if (settings.json) print_text(json_text(json));
}

}  // namespace

void add_importance(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("importance", "Show which features drive the components");
  const auto settings = std::make_shared<Settings>();
  verb->add_option("MODEL", settings->model, "model file written by fit")->type_name("FILE")->required();
  verb->add_option("--view", settings->view, "only this view")->type_name("NAME");
  verb->add_option("--kind", settings->kind, "what is counted: error removed, rows passed, or splits [gain]")
      ->type_name("{gain,cover,splits}");
  verb->add_option("--component", settings->component, "only this component, counted from 1 [all together]")
      ->type_name("K");
  verb->add_option("--top", settings->top, "so many features per view [10 in the table, all in JSON and CSV]")
      ->type_name("N");
  CLI::Option* json = verb->add_flag("--json", settings->json, "print JSON");
  verb->add_flag("--csv", settings->csv, "print CSV")->excludes(json);
  verb->footer("Example:\n  treecca importance run/model.json --view rna --component 1");
  verb->callback([settings] { run(*settings); });
}

}  // namespace treecca::cli
