// treecca partners: shows which features of different views go together.
#include "treecca/partners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "cli/data_options.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "report/files.hpp"
#include "report/partner_rows.hpp"
#include "report/text.hpp"
#include "support/document.hpp"
#include "support/names.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

constexpr Index kUsualPartners = 5;
constexpr Index kUsualFeatures = 5;

std::string component_name(std::optional<Index> component) {
  return component ? fmt::format("component cc{}", *component + 1) : "all components";
}

const std::string& feature_name(const Model& model, Index view, Index feature) {
  return model.views[static_cast<std::size_t>(view)].feature_names[static_cast<std::size_t>(feature)];
}

/// The features of --feature that the view has.
std::vector<Index> features_named(const ViewModel& view, const std::vector<std::string>& names) {
  std::vector<Index> features;
  for (const std::string& name : names) {
    const auto at = std::find(view.feature_names.begin(), view.feature_names.end(), name);
    if (at != view.feature_names.end()) features.push_back(at - view.feature_names.begin());
  }
  return features;
}

void check_names_known(const Model& model, const std::vector<Index>& views, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::vector<std::string_view> known;
    bool found = false;
    for (const Index view : views) {
      const auto& features = model.views[static_cast<std::size_t>(view)].feature_names;
      known.insert(known.end(), features.begin(), features.end());
      found = found || std::find(features.begin(), features.end(), name) != features.end();
    }
    if (found) continue;
    for (const ViewModel& view : model.views) {  // --view has named another one
      if (std::find(view.feature_names.begin(), view.feature_names.end(), name) == view.feature_names.end()) continue;
      throw UsageError(fmt::format("--feature {}: view {} has this feature, view {} has not.", in_quotes(name),
                                   in_quotes(view.name),
                                   in_quotes(model.views[static_cast<std::size_t>(views[0])].name)));
    }
    throw UsageError(
        fmt::format("--feature {}: no view has this feature.{}", in_quotes(name), did_you_mean(name, known)));
  }
}

void print_partners(const Model& model, Index view, std::optional<Index> component,
                    const std::vector<FeaturePartners>& rows) {
  print("{}: partners of its features in other views, {}\n",
        printable(model.views[static_cast<std::size_t>(view)].name), component_name(component));
  TextTable table({"feature", "share", "partner", "view", "strength", "linear", "component"}, "lrllrrl");
  for (const FeaturePartners& row : rows) {
    bool first = true;
    for (const Partner& partner : row.partners) {
      table.add_row({first ? shortened(feature_name(model, view, row.feature), 24) : "",
                     first ? percent(row.importance) : "",
                     shortened(feature_name(model, partner.view, partner.feature), 24),
                     shortened(model.views[static_cast<std::size_t>(partner.view)].name, 16),
                     fmt::format("{:.2f}", partner.strength), direction_of(model, view, row.feature, partner),
                     fmt::format("cc{}", partner.component + 1)});
      first = false;
    }
  }
  print("{}\n", table.to_string(2));
}

Document partners_document(const Model& model, Index view, const std::vector<FeaturePartners>& rows) {
  std::vector<Document> features;
  for (const FeaturePartners& row : rows) {
    std::vector<Document> found;
    for (const Partner& partner : row.partners) {
      found.push_back(Document::object()
                          .add("view", model.views[static_cast<std::size_t>(partner.view)].name)
                          .add("feature", feature_name(model, partner.view, partner.feature))
                          .add("strength", partner.strength)
                          .add("correlation", partner.correlation)
                          .add("component", partner.component + 1));
    }
    features.push_back(Document::object()
                           .add("feature", feature_name(model, view, row.feature))
                           .add("gain", row.importance)
                           .add("partners", Document(std::move(found))));
  }
  return Document(std::move(features));
}

std::string partners_lines(const Model& model, Index view, const std::vector<FeaturePartners>& rows) {
  std::string csv;
  for (const FeaturePartners& row : rows) {
    for (const Partner& partner : row.partners) {
      csv += fmt::format("{},{},{},{},{},{},{},cc{}\n", csv_cell(model.views[static_cast<std::size_t>(view)].name),
                         csv_cell(feature_name(model, view, row.feature)), row.importance,
                         csv_cell(model.views[static_cast<std::size_t>(partner.view)].name),
                         csv_cell(feature_name(model, partner.view, partner.feature)), partner.strength,
                         partner.correlation, partner.component + 1);
    }
  }
  return csv;
}

void run_partners(const Arguments& arguments) {
  const std::optional<Index> top = top_of(arguments);
  const Index most = arguments.integer("partners").value_or(kUsualPartners);
  if (most < 1) throw UsageError(fmt::format("--partners must be at least 1, not {}.", most));
  const std::vector<std::string> names = arguments.texts("feature");
  const Model model = load_model(arguments.text("MODEL"));
  const std::optional<Index> component = component_of(arguments, model);
  std::vector<Index> views(model.views.size());
  std::iota(views.begin(), views.end(), Index{0});
  if (arguments.has("view")) views = {view_index(model, arguments.text("view"))};
  check_names_known(model, views, names);
  const FeatureRelations relations(model);
  const bool csv = arguments.has("csv"), json = arguments.has("json");
  Document document = Document::object();
  if (csv) print_text("view,feature,gain,partner_view,partner,strength,correlation,component\n");
  for (const Index view : views) {
    const ViewModel& of = model.views[static_cast<std::size_t>(view)];
    const std::vector<Index> named = features_named(of, names);
    if (!names.empty() && named.empty()) continue;
    const std::vector<FeaturePartners> rows =
        names.empty() ? partners_of_top_features(relations, view, component, top.value_or(kUsualFeatures), most)
                      : partners_of_features(relations, view, component, named, most);
    if (json) {
      document.add(of.name, partners_document(model, view, rows));
    } else if (csv) {
      print_text(partners_lines(model, view, rows));
    } else {
      print_partners(model, view, component, rows);
    }
  }
  if (json) print_text(write_json(document, DocumentStyle::typed));
  if (json || csv) return;
  print("{}", wrapped("strength: 0 to 1, of the relation in any form that the components contain. linear: the "
                      "correlation that the components explain; \"nonlinear\": less than half of the strength; "
                      "\"category\": levels have no direction.",
                      0));
}

}  // namespace

Verb partners_verb() {
  return {
      .name = "partners",
      .help = "Show which features of different views are related",
      .options = {model_argument(),
                  {.name = "view", .value = "NAME", .help = "Only features of this view. [each]"},
                  component_option("[all together]"),
                  {.name = "feature",
                   .value = "NAME",
                   .help = "Only this feature. May be repeated. [the most important ones]",
                   .excludes = "top",
                   .repeats = true},
                  top_option(fmt::format("Maximum number of features per view, the most important first. [{}]",
                                         kUsualFeatures)),
                  {.name = "partners",
                   .kind = Option::Kind::integer,
                   .value = "INT",
                   .help = fmt::format("Maximum number of partners per feature, the strongest first. [{}]",
                                       kUsualPartners)},
                  {.name = "json", .kind = Option::Kind::flag, .help = "Print JSON."},
                  {.name = "csv", .kind = Option::Kind::flag, .help = "Print CSV.", .excludes = "json"}},
      .footer = "Example:\n  treecca partners run/model.json --view rna --component 1",
      .run = run_partners,
  };
}

}  // namespace treecca::cli
