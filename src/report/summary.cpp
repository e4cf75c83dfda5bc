#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/file_names.hpp"
#include "report/pairs.hpp"
#include "report/ranking.hpp"
#include "report/text.hpp"
#include "support/parameters_document.hpp"
#include "support/text.hpp"
#include "treecca/intervals.hpp"
#include "treecca/loadings.hpp"
#include "treecca/metrics.hpp"
#include "treecca/screen.hpp"
#include "treecca/version.hpp"

namespace treecca {
namespace {

constexpr std::size_t kTopFeatures = 5;
constexpr Index kTopComponents = 3;
constexpr double kMinShare = 0.005;  // smaller fractions of the gain are not shown

std::string cell(const std::vector<double>& numbers, std::size_t k) {
  return k < numbers.size() ? fmt::format("{:.3f}", numbers[k]) : "-";
}

/// The interval of a correlation, 14 characters wide; without intervals its standard error.
std::string reach_in_words(const Model& model, const std::vector<Interval>& intervals, std::size_t k) {
  if (intervals.empty()) return fmt::format("+-{:.3f}", model.correlations.standard_errors[k]);
  return fmt::format("{:>14}", fmt::format("[{:.2f}, {:.2f}]", intervals[k].low, intervals[k].high));
}

std::string total_cell(const std::vector<double>& numbers) {
  return numbers.empty() ? "-" : fmt::format("{:.3f}", total_correlation(numbers));
}

/// The first few features, without features below kMinShare.
std::vector<FeatureShare> top_features(const Model& model, std::size_t view, std::optional<Index> component) {
  std::vector<FeatureShare> best = ranked_features(model, static_cast<Index>(view), ImportanceKind::gain, component);
  best.resize(std::min(best.size(), kTopFeatures));
  std::erase_if(best, [](const FeatureShare& entry) { return entry.share < kMinShare; });
  return best;
}

std::string top_features_text(const Model& model) {
  std::size_t widest = 0;
  for (const ViewModel& view : model.views) widest = std::max(widest, shortened(view.name, 20).size());
  const bool loadings = !model.views[0].loadings.empty();
  std::string text = fmt::format("Most important features (percentage of {}{})\n", gain_in_words(model),
                                 !loadings                                ? ""
                                 : model.correlations.out_of_fold.empty() ? "; in-sample loading"
                                                                          : "; loading");
  for (Index k = 0; k < std::min(kTopComponents, model.n_components()); ++k) {
    for (std::size_t v = 0; v < model.views.size(); ++v) {
      const ViewModel& view = model.views[v];
      std::string line =
          fmt::format("  {:<5} {:<{}}  ", v == 0 ? fmt::format("cc{}", k + 1) : "", shortened(view.name, 20), widest);
      std::string separator;
      for (const FeatureShare& best : top_features(model, v, k)) {
        std::string piece =
            fmt::format("{}{} {}", separator, shortened(view.feature_names[static_cast<std::size_t>(best.feature)], 24),
                        short_percent(best.share));
        if (loadings) {
          const double loading = view.loadings.own(best.feature, k);
          piece +=
              view.is_category(best.feature) ? fmt::format(" ({:.2f})", loading) : fmt::format(" ({:+.2f})", loading);
        }
        if (line.size() + piece.size() > kTextWidth) break;
        line += piece;
        separator = ", ";
      }
      text += line + (separator.empty() ? "none" : "") + "\n";
    }
  }
  if (loadings) text += "  Loading: correlation of the feature with the variate; near 0 for a U-shaped relation.\n";
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

Document text_or_null(const std::string& text) { return text.empty() ? Document() : Document(text); }

std::vector<std::string> covariate_names(const Model& model) {
  std::vector<std::string> names;
  for (const CovariateTerm& term : model.covariates) names.push_back(term.name);
  return names;
}

Document view_document(const RunSummary& run, std::size_t view) {
  const InputView& input = run.inputs.views[view];
  const ViewModel& fitted = run.result.model.views[view];
  std::vector<Document> top;
  for (const FeatureShare& best : top_features(run.result.model, view, std::nullopt)) {
    top.push_back(Document::object()
                      .add("feature", fitted.feature_names[static_cast<std::size_t>(best.feature)])
                      .add("gain", best.share));
  }
  return Document::object()
      .add("name", input.name)
      .add("file", text_or_null(input.source))
      .add("rows", input.rows)
      .add("dropped", input.dropped)
      .add("features", input.features)
      .add("missing_share", input.missing_share)
      .add("features_kept", kept_document(fitted))
      .add("explained_variance", explained_variance(run.result.model, static_cast<Index>(view)))
      .add("redundancy", redundancy(run.result.model, static_cast<Index>(view)))
      .add("top_features", std::move(top));
}

}  // namespace

std::string blend_sentence(const Model& model) {
  const std::vector<BlendResult>& candidates = model.correlations.candidates;
  const std::string linear = model.views.size() > 2 ? "linear MCCA" : "linear CCA";
  const auto name = [&](double weight) {
    return weight == 0   ? std::string("trees")
           : weight == 1 ? linear
                         : fmt::format("{} {}", short_percent(weight), linear);
  };
  if (candidates.size() < 2) {
    return candidates[0].linear > 0 ? fmt::format("The variates are {}.", name(candidates[0].linear)) : "";
  }
  std::vector<std::string> compared;
  std::string chosen;
  double compared_tcc = 0;
  for (const BlendResult& candidate : candidates) {
    compared.push_back(
        fmt::format("{} {:.2f}", candidate.linear == 0.5 ? "both" : name(candidate.linear), candidate.judged));
    if (!candidate.chosen) continue;
    chosen = candidate.linear == 0.5 ? "the mean of both" : name(candidate.linear);
    compared_tcc = candidate.judged;
  }
  std::string text = fmt::format("Compared out-of-fold: {}; chosen: {}.", fmt::join(compared, ", "), chosen);
  if (std::abs(compared_tcc - total_correlation(model.correlations.out_of_fold)) >= 0.005) {
    text += " The total (TCC) differs: it describes the mean of all parts and is corrected for this choice.";
  }
  return text;
}

std::string covariates_sentence(const Model& model) {
  if (model.covariates.empty()) return "";
  std::vector<std::string> names;
  for (const CovariateTerm& term : model.covariates) {
    const std::string kind = !term.levels.empty()  ? fmt::format(" ({} classes)", term.levels.size())
                             : !term.knots.empty() ? " (number)"
                                                   : "";  // a product
    names.push_back(shortened(term.name, 30) + kind);
  }
  std::string text = fmt::format("Adjusted for {}.", fmt::join(names, ", "));
  const Correlations& found = model.correlations;
  if (found.linear_unadjusted.empty()) return text;
  return text + fmt::format(" {} on the same folds has a total of {:.2f} without the adjustment and of {:.2f} with it.",
                            model.views.size() > 2 ? "Linear MCCA" : "Linear CCA",
                            total_correlation(found.linear_unadjusted), total_correlation(found.linear_out_of_fold));
}

std::string correlations_text(const Model& model) {
  const Correlations& found = model.correlations;
  const std::string linear = model.views.size() > 2 ? "linear MCCA" : "linear CCA";
  const bool out_of_fold = !found.out_of_fold.empty();
  std::vector<std::pair<std::string, const std::vector<double>*>> columns;
  if (out_of_fold) columns.emplace_back("out-of-fold", &found.out_of_fold);
  columns.emplace_back("in-sample", &found.in_sample);
  if (out_of_fold) columns.emplace_back(linear + " (out-of-fold)", &found.linear_out_of_fold);
  if (!out_of_fold) columns.emplace_back(linear + " (in-sample)", &found.linear_in_sample);

  std::vector<std::string> header{"component"};
  std::vector<std::string> totals{"total (TCC)"};
  for (const auto& [title, numbers] : columns) {
    header.push_back(title);
    totals.push_back(total_cell(*numbers));
  }
  const std::vector<bool> above = model.found();
  const std::vector<Interval> intervals = correlation_intervals(model).per_component;
  TextTable table(header, "lrrr");
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.n_components()); ++k) {
    std::vector<std::string> row{fmt::format("cc{}", k + 1)};
    for (const auto& column : columns) row.push_back(cell(*column.second, k));
    if (out_of_fold) row[1] += fmt::format(" {}{}", reach_in_words(model, intervals, k), above[k] ? "  " : " *");
    table.add_row(row);
  }
  if (out_of_fold) totals[1] += std::string(intervals.empty() ? 10 : 17, ' ');  // under the numbers above
  table.add_rule();
  table.add_row(totals);
  std::string text = "Canonical correlations\n" + table.to_string(2);
  text += out_of_fold ? fmt::format("  Report the out-of-fold column ({}): each sample is scored by fits without it.\n",
                                    intervals.empty() ? "+- standard error" : "with its 95% interval")
                      : "  In-sample correlations are too high. Use --cross_fit for out-of-fold correlations.\n";
  if (std::find(above.begin(), above.end(), false) != above.end()) {
    text += can_tell_noise(model.effective_samples)
                ? "  * below the noise threshold: not distinguishable from noise, whatever the interval\n"
                : "  * too few independent samples or groups to tell it from noise\n";
  }
  if (const std::string sentence = blend_sentence(model); !sentence.empty()) text += wrapped(sentence, 2);
  if (const std::string sentence = covariates_sentence(model); !sentence.empty()) text += wrapped(sentence, 2);
  const bool negative = std::any_of(columns.begin(), columns.end(), [](const auto& column) {
    return std::any_of(column.second->begin(), column.second->end(), [](double r) { return r < 0; });
  });
  if (negative) text += "  Negative values count as 0 in the total.\n";
  if (const std::string pairs = shared_pairs_text(model); !pairs.empty()) text += "\n" + pairs;
  return text;
}

std::string screening_text(const Model& model) {
  std::string text;
  for (const std::string& line : screening_summary(model)) text += wrapped(printable(line), 2);
  return text.empty() ? "" : "Features kept by screening\n" + text + "\n";
}

std::string results_text(const RunSummary& run) {
  const Model& model = run.result.model;
  std::string text = correlations_text(model) + "\n" + screening_text(model) + top_features_text(model) + "\n";
  const auto run_rounds = static_cast<std::uint64_t>(model.history.round.empty() ? 0.0 : model.history.round.back());
  const std::size_t parts = model.views[0].parts.size();
  if (parts > 1) text += fmt::format("Parts: {}, of up to {} rounds\n", parts, model.rounds);
  if (parts == 1) text += fmt::format("Rounds: {} kept of {}\n", model.rounds, std::max(run_rounds, model.rounds));
  text += times_text(run.result.timings);
  if (run.out.empty()) return text;
  text += fmt::format("Wrote {} files to {}", run.files.size(), printable(run.out));
  const bool html = std::find(run.files.begin(), run.files.end(), kReportFile) != run.files.end();
  text += html ? fmt::format("; open {}/{}\n", printable(run.out), kReportFile) : "\n";
  return text;
}

Document kept_document(const ViewModel& view) {
  if (view.screening.kept.empty()) return Document();
  std::vector<double> kept;
  for (const auto& features : view.screening.kept) kept.push_back(static_cast<double>(features.size()));
  return Document(std::move(kept), Document::Type::int64);
}

Document summary_document(const RunSummary& run) {
  const Model& model = run.result.model;
  std::vector<Document> views;
  for (std::size_t v = 0; v < run.inputs.views.size(); ++v) views.push_back(view_document(run, v));
  const Correlations& found = model.correlations;
  Document correlations = Document::object();
  Document totals = Document::object();
  std::vector<Document> candidates;
  for (const BlendResult& candidate : found.candidates) {
    candidates.push_back(Document::object()
                             .add("linear", candidate.linear)
                             .add("tcc", candidate.correlations.empty()
                                             ? Document()
                                             : Document(total_correlation(candidate.correlations)))
                             .add("judged", candidate.correlations.empty() ? Document() : Document(candidate.judged))
                             .add("correlations", candidate.correlations)
                             .add("chosen", candidate.chosen));
  }
  const std::vector<bool> above = model.found();
  for (const auto& [name, numbers] :
       {std::pair{"out_of_fold", &found.out_of_fold}, std::pair{"in_sample", &found.in_sample},
        std::pair{"linear_out_of_fold", &found.linear_out_of_fold},
        std::pair{"linear_in_sample", &found.linear_in_sample}}) {
    correlations.add(name, *numbers);
    totals.add(name, numbers->empty() ? Document() : Document(total_correlation(*numbers)));
  }
  if (!model.covariates.empty()) correlations.add("linear_unadjusted", found.linear_unadjusted);
  correlations.add("standard_errors", found.standard_errors);
  correlations.add("intervals", intervals_document(correlation_intervals(model).per_component));
  correlations.add("noise_thresholds", found.noise_thresholds);
  correlations.add("found", Document(std::vector<double>(above.begin(), above.end()), Document::Type::int64));
  Document seconds = Document::object();
  for (const Stage& stage : run.result.timings) seconds.add(stage.name, stage.seconds);
  return Document::object()
      .add("treecca", version)
      .add("command", run.command)
      .add("n_samples", model.n_samples)
      .add("n_components", model.n_components())
      .add("rounds", model.rounds)
      .add("join", Document::object().add("by_id", run.inputs.by_id).add("matched", run.inputs.matched))
      .add("shared_samples", Document(std::vector<double>(model.shared_samples.begin(), model.shared_samples.end()),
                                      Document::Type::int64))
      .add("groups", run.inputs.groups)
      .add("covariates", covariate_names(model))
      .add("views", std::move(views))
      .add("correlations", std::move(correlations))
      .add("pairs", pairs_document(model))
      .add("tcc", std::move(totals))
      .add("candidates", Document(std::move(candidates)))
      .add("linear_weight", Document(*model.parameters.linear.value))
      .add("parameters", parameters_document(model.parameters, /*all=*/true))
      .add("asked", parameters_document(model.asked, /*all=*/true))
      .add("seconds", std::move(seconds))
      .add("warnings", run.result.warnings)
      .add("out", text_or_null(run.out))
      .add("files", run.files);
}

}  // namespace treecca
