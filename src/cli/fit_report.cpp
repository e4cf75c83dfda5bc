#include "cli/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "cli/ranking.hpp"
#include "cli/text.hpp"
#include "treecca/metrics.hpp"
#include "treecca/screen.hpp"
#include "treecca/version.hpp"

namespace treecca::cli {
namespace {

constexpr std::size_t kTopFeatures = 5;
constexpr Index kTopComponents = 3;
constexpr double kLeastShare = 0.005;  // smaller shares of gain are not worth a person's time

std::string cell(const std::vector<double>& numbers, std::size_t k) {
  return k < numbers.size() ? fmt::format("{:.3f}", numbers[k]) : "-";
}

std::string sum_cell(const std::vector<double>& numbers) {
  return numbers.empty() ? "-" : fmt::format("{:.3f}", total_correlation(numbers));
}

/// The few best ones, without those that are not worth mentioning.
std::vector<FeatureShare> top_features(const Model& model, std::size_t view, std::optional<Index> component) {
  std::vector<FeatureShare> best = ranked_features(model, static_cast<Index>(view), ImportanceKind::gain, component);
  best.resize(std::min(best.size(), kTopFeatures));
  std::erase_if(best, [](const FeatureShare& entry) { return entry.share < kLeastShare; });
  return best;
}

std::string top_features_text(const Model& model) {
  std::size_t widest = 0;
  for (const ViewModel& view : model.views) widest = std::max(widest, shortened(view.name, 20).size());
  std::string text = "Features that matter most (share of the gain)\n";
  for (Index k = 0; k < std::min(kTopComponents, model.n_components()); ++k) {
    for (std::size_t v = 0; v < model.views.size(); ++v) {
      const ViewModel& view = model.views[v];
      std::string line =
          fmt::format("  {:<5} {:<{}}  ", v == 0 ? fmt::format("cc{}", k + 1) : "", shortened(view.name, 20), widest);
      std::string separator;
      for (const FeatureShare& best : top_features(model, v, k)) {
        const std::string piece =
            fmt::format("{}{} {:.0f}%", separator,
                        shortened(view.feature_names[static_cast<std::size_t>(best.feature)], 24), 100 * best.share);
        if (line.size() + piece.size() > kTextWidth) break;
        line += piece;
        separator = ", ";
      }
      text += line + (separator.empty() ? "no splits" : "") + "\n";
    }
  }
  return text;
}

std::string times_text(const std::vector<Stage>& timings) {
  double total = 0;
  std::vector<std::string> parts;
  for (const Stage& stage : timings) {
    total += stage.seconds;
    if (stage.seconds >= 0.005) parts.push_back(fmt::format("{} {:.2f}", stage.name, stage.seconds));
  }
  std::string line = fmt::format("Time {}", duration(total));
  if (!parts.empty()) line += fmt::format(": {}", fmt::join(parts, ", "));
  return wrapped(line, 0);
}

}  // namespace

nlohmann::ordered_json parameters_json(const Parameters& parameters, bool all) {
  nlohmann::ordered_json json;
  for_each_parameter([&]<class T>(const Declaration& declaration, T Parameters::*member) {
    if (!all && !declaration.affects_model) return;
    nlohmann::ordered_json& entry = json[std::string(declaration.name)];
    const T& value = parameters.*member;
    if constexpr (std::is_enum_v<T>) {
      entry = to_text(parameters, declaration.name);
    } else if constexpr (std::is_arithmetic_v<T>) {
      entry = value;
    } else if (value.is_auto()) {
      entry = "auto";
    } else if (value.values.size() == 1) {
      entry = value.values.front();
    } else {
      entry = value.values;
    }
  });
  return json;
}

std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string correlations_text(const Model& model) {
  const Correlations& found = model.correlations;
  const std::string linear = model.views.size() > 2 ? "linear MCCA" : "linear CCA";
  const bool honest = !found.out_of_fold.empty();
  std::vector<std::pair<std::string, const std::vector<double>*>> columns;
  if (honest) columns.emplace_back("out of fold", &found.out_of_fold);
  columns.emplace_back("in sample", &found.in_sample);
  if (honest) columns.emplace_back(linear + " out of fold", &found.linear_out_of_fold);
  if (!honest) columns.emplace_back(linear + " in sample", &found.linear_in_sample);

  std::vector<std::string> header{"component"};
  std::vector<std::string> sums{"sum (TCC)"};
  for (const auto& [title, numbers] : columns) {
    header.push_back(title);
    sums.push_back(sum_cell(*numbers));
  }
  TextTable table(header, "lrrr");
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.n_components()); ++k) {
    std::vector<std::string> row{fmt::format("cc{}", k + 1)};
    for (const auto& column : columns) row.push_back(cell(*column.second, k));
    table.add_row(row);
  }
  table.add_rule();
  table.add_row(sums);
  std::string text = "Canonical correlations\n" + table.to_string(2);
  const bool negative = std::any_of(columns.begin(), columns.end(), [](const auto& column) {
    return std::any_of(column.second->begin(), column.second->end(), [](double r) { return r < 0; });
  });
  if (negative) text += "  A negative correlation means that nothing was found; it counts 0 in the sum.\n";
  if (honest) {
    text +=
        "  Out of fold: every sample is embedded by trees that never saw it. That is the figure to "
        "trust.\n";
  } else {
    text +=
        "  In sample: fitted and measured on the same samples, so too good. Use --cross_fit for "
        "honest figures.\n";
  }
  return text;
}

std::string screening_text(const Model& model) {
  std::string text;
  for (const std::string& line : screening_summary(model)) text += wrapped(printable(line), 2);
  return text.empty() ? "" : "Screening: what the trees may use\n" + text + "\n";
}

nlohmann::ordered_json kept_json(const ViewModel& view) {
  nlohmann::ordered_json kept;  // null: not screened
  for (const auto& features : view.screening.kept) kept.push_back(features.size());
  return kept;
}

std::string results_text(const FitReport& report) {
  const Model& model = report.result.model;
  std::string text = correlations_text(model) + "\n" + screening_text(model) + top_features_text(model) + "\n";
  const auto run = static_cast<std::uint64_t>(model.history.tcc.size());
  text += fmt::format("Rounds {} kept of {} run\n", model.rounds, std::max(run, model.rounds));
  text += times_text(report.timings);
  if (report.out.empty()) return text;
  text += fmt::format("Wrote {} files to {}", report.files.size(), printable(report.out));
  const bool html = std::find(report.files.begin(), report.files.end(), "report.html") != report.files.end();
  text += html ? fmt::format("; open {}/report.html\n", printable(report.out)) : "\n";
  return text;
}

nlohmann::ordered_json report_json(const FitReport& report) {
  using Json = nlohmann::ordered_json;
  const Model& model = report.result.model;
  Json json;
  json["treecca"] = version;
  json["command"] = report.command;
  json["n_samples"] = model.n_samples;
  json["n_components"] = model.n_components();
  json["rounds"] = model.rounds;
  json["join"] = {{"by_id", report.inputs.join.by_id}, {"matched", report.inputs.join.matched}};
  for (std::size_t v = 0; v < report.inputs.views.size(); ++v) {
    const InputSummary& input = report.inputs.views[v];
    Json view = {{"name", input.view},         {"file", input.source.empty() ? Json() : Json(input.source)},
                 {"rows", input.rows},         {"dropped", report.inputs.join.dropped[v]},
                 {"features", input.features}, {"missing_share", input.missing_share}};
    view["features_kept"] = kept_json(model.views[v]);
    view["top_features"] = Json::array();
    for (const FeatureShare& best : top_features(model, v, std::nullopt)) {
      view["top_features"].push_back(
          {{"feature", model.views[v].feature_names[static_cast<std::size_t>(best.feature)]}, {"gain", best.share}});
    }
    json["views"].push_back(std::move(view));
  }
  const Correlations& found = model.correlations;
  for (const auto& [name, numbers] :
       {std::pair{"out_of_fold", &found.out_of_fold}, std::pair{"in_sample", &found.in_sample},
        std::pair{"linear_out_of_fold", &found.linear_out_of_fold},
        std::pair{"linear_in_sample", &found.linear_in_sample}}) {
    json["correlations"][name] = *numbers;
    json["tcc"][name] = numbers->empty() ? Json() : Json(total_correlation(*numbers));
  }
  json["parameters"] = parameters_json(model.parameters, true);
  for (const Stage& stage : report.timings) json["seconds"][stage.name] = stage.seconds;
  json["warnings"] = report.result.warnings;
  json["out"] = report.out.empty() ? Json() : Json(report.out);
  json["files"] = report.files;
  return json;
}

}  // namespace treecca::cli
