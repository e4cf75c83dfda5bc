// treecca inspect: shows the contents of a model file.
#include <fmt/format.h>

#include <algorithm>

#include "cli/data_options.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "report/pairs.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"
#include "support/parameters_document.hpp"
#include "support/text.hpp"
#include "treecca/intervals.hpp"
#include "treecca/model.hpp"

namespace treecca::cli {
namespace {

struct Ensemble {
  std::size_t parts = 0;
  std::size_t encoders = 0;
  std::size_t trees = 0;
  std::size_t leaves = 0;
};

Ensemble count(const ViewModel& view) {
  Ensemble size;
  size.parts = view.parts.size();
  for (const PartModel& part : view.parts) {
    size.encoders += part.encoders.size();
    for (const Encoder& encoder : part.encoders) {
      size.trees += encoder.size();
      for (const Tree& tree : encoder) {
        size.leaves += static_cast<std::size_t>(
            std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const Node& node) { return node.is_leaf(); }));
      }
    }
  }
  return size;
}

struct Setting {
  std::string name;
  std::string value;
  std::string standard;
};

/// The parameters that differ from the parameters of an empty command line.
struct Differences {
  std::vector<Setting> changed;
  std::vector<Setting> chosen;  // by the fit from the data
};

Differences differences(const Model& model) {
  Differences found;
  for_each_parameter([&](const Declaration& declaration, auto) {
    if (!declaration.affects_model) return;
    const std::string name(declaration.name);
    const std::string asked = to_text(model.asked, name);
    const std::string became = to_text(model.parameters, name);
    const std::string standard = to_text(Parameters{}, name);
    if (asked != standard) found.changed.push_back({name, asked, standard});
    if (asked != became) found.chosen.push_back({name, became, standard});
  });
  return found;
}

std::string settings_text(const Model& model) {
  const auto [changed, chosen] = differences(model);
  std::string text =
      changed.empty() ? "Settings that differ from the defaults: none\n" : "Settings that differ from the defaults\n";
  for (const Setting& setting : changed) {
    text += fmt::format("  {:<22} {} (default {})\n", setting.name, setting.value, setting.standard);
  }
  if (!chosen.empty()) text += "Settings that were chosen by rule\n";
  for (const Setting& setting : chosen) {
    text += fmt::format("  {:<22} {}\n", setting.name, setting.value);
  }
  if (!model.engine_params.empty()) text += "Also passed to the engine (engine_params)\n";
  for (const auto& [name, value] : model.engine_params) {
    text += fmt::format("  {:<22} {}\n", printable(name), printable(value));
  }
  return text;
}

std::string_view name_of(ModelFormat format) { return format == ModelFormat::json ? "JSON" : "UBJSON"; }

Document categories_document(const ViewModel& view) {
  Document categories = Document::object();
  for (std::size_t j = 0; j < view.levels.size(); ++j) {
    if (!view.levels[j].empty()) categories.add(view.feature_names[j], view.levels[j]);
  }
  return categories;
}

/// For each view with categories, a line that names them.
std::string categories_text(const Model& model) {
  std::string text;
  for (const ViewModel& view : model.views) {
    constexpr std::size_t kShown = 10;
    std::vector<std::string> found;
    for (std::size_t j = 0; j < view.levels.size(); ++j) {
      if (view.levels[j].empty()) continue;
      found.push_back(fmt::format("{} ({} levels)", shortened(view.feature_names[j], 40), view.levels[j].size()));
    }
    if (found.empty()) continue;
    const std::size_t more = found.size() > kShown ? found.size() - kShown : 0;
    found.resize(found.size() - more);
    text += fmt::format("  Categories of {}: {}{}\n", shortened(view.name, 40), fmt::join(found, ", "),
                        more > 0 ? fmt::format(" and {} more", more) : "");
  }
  return text;
}

Document view_document(const ViewModel& view) {
  const Ensemble size = count(view);
  Document document = Document::object()
                          .add("name", view.name)
                          .add("features", view.feature_names.size())
                          .add("features_kept", kept_document(view))
                          .add("parts", size.parts)
                          .add("encoders", size.encoders)
                          .add("trees", size.trees)
                          .add("leaves", size.leaves);
  if (!view.levels.empty()) document.add("categories", categories_document(view));
  return document;
}

Document model_document(const Model& model, const ModelOrigin& origin) {
  std::vector<Document> views;
  for (const ViewModel& view : model.views) views.push_back(view_document(view));
  Document document =
      Document::object()
          .add("producer", origin.producer)
          .add("format_version", origin.format_version)
          .add("encoding", name_of(origin.format))
          .add("n_samples", model.n_samples)
          .add("shared_samples", Document(std::vector<double>(model.shared_samples.begin(), model.shared_samples.end()),
                                          Document::Type::int64))
          .add("n_components", model.n_components())
          .add("rounds", model.rounds)
          .add("views", std::move(views))
          .add("parameters", parameters_document(model.parameters))
          .add("asked", parameters_document(model.asked));
  if (!model.engine_params.empty()) document.add("engine_params", engine_params_document(model.engine_params));
  document.add("correlations", Document::object()
                                   .add("out_of_fold", model.correlations.out_of_fold)
                                   .add("standard_errors", model.correlations.standard_errors)
                                   .add("intervals", intervals_document(correlation_intervals(model).per_component))
                                   .add("noise_thresholds", model.correlations.noise_thresholds)
                                   .add("in_sample", model.correlations.in_sample)
                                   .add("linear_out_of_fold", model.correlations.linear_out_of_fold)
                                   .add("linear_in_sample", model.correlations.linear_in_sample));
  document.add("history", Document::object()
                              .add("round", model.history.round)
                              .add("loss", model.history.loss)
                              .add("tcc", model.history.tcc)
                              .add("train_tcc", model.history.train_tcc));
  return document;
}

std::string views_text(const Model& model) {
  TextTable table({"view", "features", "parts", "encoders", "trees", "leaves"}, "lrrrrr");
  for (const ViewModel& view : model.views) {
    const Ensemble size = count(view);
    table.add_row({shortened(view.name, 40), std::to_string(view.feature_names.size()), std::to_string(size.parts),
                   std::to_string(size.encoders), std::to_string(size.trees), std::to_string(size.leaves)});
  }
  return table.to_string(2) + categories_text(model);
}

/// Number of samples of each view and each pair; empty if all samples have all views.
std::string shared_text(const Model& model) {
  if (model.shared_samples.empty()) return "";
  std::vector<std::string> header{"samples"};
  for (const ViewModel& view : model.views) header.push_back(shortened(view.name, 20));
  TextTable table(header, "l" + std::string(model.views.size(), 'r'));
  for (std::size_t v = 0; v < model.views.size(); ++v) {
    std::vector<std::string> row{shortened(model.views[v].name, 40)};
    for (std::size_t w = 0; w < model.views.size(); ++w) {
      row.push_back(std::to_string(model.shared_samples[v * model.views.size() + w]));
    }
    table.add_row(row);
  }
  return "Samples shared by two views (diagonal: samples of the view)\n" + table.to_string(2) + "\n";
}

std::string history_text(const Model& model) {
  const std::vector<double>& tcc = model.history.tcc;
  if (tcc.empty()) return "";
  const auto best = std::max_element(tcc.begin(), tcc.end());
  const std::string_view kind = model.parameters.n_repeats > 0   ? "Mean out-of-fold TCC of the trees inside the parts"
                                : model.parameters.cross_fit > 0 ? "Out-of-fold TCC of the trees"
                                                                 : "In-sample TCC of the trees";
  const std::vector<double>& round = model.history.round;
  return fmt::format("{} over {:.0f} rounds, from {:.3f} to {:.3f} (best {:.3f} in round {:.0f})\n  {}\n", kind,
                     round.back(), tcc.front(), tcc.back(), *best, round[static_cast<std::size_t>(best - tcc.begin())],
                     sparkline(tcc, 80));
}

void run_inspect(const Arguments& arguments) {
  ModelOrigin origin;
  const Model model = load_model(arguments.text("MODEL"), origin);
  if (arguments.has("json")) {
    print("{}", write_json(model_document(model, origin), DocumentStyle::typed));
    return;
  }
  print("TreeCCA model: {} views, {} components, {} rounds, fitted to {} samples\n", model.views.size(),
        model.n_components(), model.rounds, model.n_samples);
  print("Written by {}, format version {}, {}\n{}\n", printable(origin.producer), origin.format_version,
        name_of(origin.format), views_text(model));
  print("{}", shared_text(model));
  print("{}\n{}", correlations_text(model), screening_text(model));
  print("{}", settings_text(model));
  print("\n{}", history_text(model));
}

}  // namespace

Verb inspect_verb() {
  return {
      .name = "inspect",
      .help = "Show the contents of a model file",
      .options = {model_argument(),
                  {.name = "json", .kind = Option::Kind::flag, .help = "Print JSON, with the full curves."}},
      .run = run_inspect,
  };
}

}  // namespace treecca::cli
