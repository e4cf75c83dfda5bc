// treecca cv: compares settings by out-of-fold correlation.
#include "treecca/cv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cli/data_options.hpp"
#include "cli/inputs.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/reading.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "report/files.hpp"
#include "report/text.hpp"
#include "support/parameters_document.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

constexpr std::size_t kShownComponents = 5;
constexpr const char* kResultsFile = "cv.csv";
constexpr const char* kCvCurvesFile = "cv_curves.csv";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// "max_depth=2,4,2:6": three values, the last one per view.
GridAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(fmt::format("--grid \"{}\" is not of the form NAME=VALUE,VALUE,...", printable(text)));
  }
  GridAxis axis{text.substr(0, equals), split(std::string_view(text).substr(equals + 1), ',')};
  std::replace(axis.name.begin(), axis.name.end(), '-', '_');
  if (axis.name == "k") axis.name = "n_components";  // to match the names of the options
  if (axis.name == "seed") axis.name = "random_state";
  for (std::string& value : axis.values) std::replace(value.begin(), value.end(), ':', ',');
  return axis;
}

std::vector<GridAxis> parse_grid(const std::vector<std::string>& texts) {
  if (texts.empty()) throw UsageError("cv needs something to compare: --grid n_components=1,2,3,5 for example.");
  std::vector<GridAxis> axes;
  for (const std::string& text : texts) {
    axes.push_back(parse_axis(text));
    for (std::size_t a = 0; a + 1 < axes.size(); ++a) {
      if (axes[a].name == axes.back().name) {
        throw UsageError(fmt::format("--grid names {} twice; give all its values at once.", axes[a].name));
      }
    }
  }
  return axes;
}

std::string value_of(const CvResult& result, const GridAxis& axis) {
  std::string value = to_text(result.given, axis.name);
  std::replace(value.begin(), value.end(), ',', ':');
  return value;
}

bool nothing_found(const std::vector<CvResult>& results) {
  return std::all_of(results.begin(), results.end(), [](const CvResult& result) { return result.found == 0; });
}

std::string results_text(const std::vector<CvResult>& results, const std::vector<GridAxis>& axes) {
  std::size_t components = 0;
  for (const CvResult& result : results) components = std::max(components, result.correlations.size());
  components = std::min(components, kShownComponents);
  std::vector<std::string> header;
  for (const GridAxis& axis : axes) header.push_back(axis.name);
  header.insert(header.end(), {"TCC above noise", "above noise", "TCC", "linear weight", "best round"});
  for (std::size_t k = 0; k < components; ++k) header.push_back(fmt::format("cc{}", k + 1));
  header.push_back("TCC by round");
  TextTable table(header, std::string(header.size() - 1, 'r') + "l");
  for (const Index r : best_first(results)) {
    const CvResult& result = results[r];
    std::vector<std::string> row;
    for (const GridAxis& axis : axes) row.push_back(value_of(result, axis));
    row.push_back(result.found == 0 ? "-" : fmt::format("{:.3f} +-{:.3f}", result.found_tcc, result.standard_error));
    row.push_back(fmt::format("{} of {}", result.found, result.correlations.size()));
    row.push_back(fmt::format("{:.3f}", result.tcc));
    row.push_back(fmt::format("{:g}", result.linear_weight));
    row.push_back(std::to_string(result.best_round));
    for (std::size_t k = 0; k < components; ++k) {
      row.push_back(k < result.correlations.size() ? fmt::format("{:.3f}", result.correlations[k]) : "");
    }
    row.push_back(sparkline(result.curve, 20));
    table.add_row(row);
  }
  if (nothing_found(results)) {
    return "Out-of-fold correlations\n" + table.to_string(2) +
           wrapped(fmt::format("No best setting: {}. Settings are sorted by their TCC.",
                               results[0].can_tell
                                   ? "no component is above its noise threshold"
                                   : "there are too few samples or groups to tell any component from noise"),
                   0);
  }
  std::string best;
  std::vector<std::string> names;
  for (const GridAxis& axis : axes) {
    names.push_back(axis.name);
    best += fmt::format(" --{} {}", axis.name, to_text(results[best_setting(results)].given, axis.name));
  }
  std::string edges;
  for (const std::string& sentence : edge_advice(results, names)) edges += wrapped(sentence, 0);
  const double expected = nested_tcc(results);
  const std::string biased =
      "The TCC of the best setting is biased upwards, because it was chosen on the samples that it was measured on.";
  return "Out-of-fold correlations, best first\n" + table.to_string(2) + fmt::format("\nBest:{}\n", best) + edges +
         wrapped(
             "Settings are compared by the total correlation of the components above the noise threshold (+- standard "
             "error). Of the settings within a standard error of the best, the setting with the fewest components is "
             "chosen. "
             "The linear weight is the weight of linear CCA in the variates.",
             0) +
         (results.size() == 1 ? ""
          : std::isnan(expected)
              ? wrapped(biased, 0)
              : wrapped(fmt::format("{} Expect {:.3f}: for this number, each fold is judged with the setting that is "
                                    "best on the other folds, among settings with as many components.",
                                    biased, expected),
                        0));
}

std::string results_csv(const std::vector<CvResult>& results, const std::vector<GridAxis>& axes) {
  std::string csv = "setting";
  std::size_t components = 0;
  for (const GridAxis& axis : axes) csv += "," + axis.name;
  for (const CvResult& result : results) components = std::max(components, result.correlations.size());
  csv += ",tcc,found,found_tcc,standard_error,linear_weight,best_round,seconds";
  for (std::size_t k = 0; k < components; ++k) csv += fmt::format(",cc{}", k + 1);
  csv += "\n";
  for (std::size_t r = 0; r < results.size(); ++r) {
    const CvResult& result = results[r];
    csv += std::to_string(r + 1);
    for (const GridAxis& axis : axes) csv += "," + csv_cell(value_of(result, axis));
    csv += fmt::format(",{},{},{},{},{},{},{:.3f}", result.tcc, result.found, result.found_tcc, result.standard_error,
                       result.linear_weight, result.best_round, result.seconds);
    for (std::size_t k = 0; k < components; ++k) {
      csv += k < result.correlations.size() ? fmt::format(",{}", result.correlations[k]) : ",";
    }
    csv += "\n";
  }
  return csv;
}

std::string curves_csv(const std::vector<CvResult>& results) {
  std::string csv = "setting,round,tcc\n";
  for (std::size_t r = 0; r < results.size(); ++r) {
    for (std::size_t i = 0; i < results[r].curve.size(); ++i) {
      csv += fmt::format("{},{},{}\n", r + 1, results[r].rounds[i], results[r].curve[i]);
    }
  }
  return csv;
}

Document results_document(const std::vector<CvResult>& results) {
  std::vector<Document> documents;
  for (const CvResult& result : results) {
    documents.push_back(Document::object()
                            .add("parameters", parameters_document(result.parameters))
                            .add("tcc", result.tcc)
                            .add("found", result.found)
                            .add("found_tcc", result.found_tcc)
                            .add("standard_error", result.standard_error)
                            .add("linear_weight", result.linear_weight)
                            .add("best_round", result.best_round)
                            .add("correlations", result.correlations)
                            .add("standard_errors", result.standard_errors)
                            .add("rounds", result.rounds)
                            .add("curve", result.curve)
                            .add("seconds", result.seconds));
  }
  return Document(std::move(documents));
}

void run_cv(const Arguments& arguments) {
  const std::vector<ViewFile> files = learning_files(arguments);
  const DataOptions data = data_options_of(arguments);
  const std::vector<GridAxis> axes = parse_grid(arguments.texts("grid"));
  const std::vector<Parameters> grid = parameter_grid(arguments.parameters(), axes);
  std::optional<OutputFolder> out;
  if (arguments.has("out")) {
    out.emplace(arguments.text("out"));
    const std::string folder = out->path() + "/";
    refuse_overwriting({folder + kResultsFile, folder + kCvCurvesFile}, input_paths(files, data));
  }
  std::vector<Table> tables = read_views(files, read_options_of(arguments, files));
  const JoinedInputs inputs = join_inputs(tables, paths_of(files), data.join);
  const bool text = !arguments.has("json") && !arguments.has("quiet");
  print_inputs(inputs, text);
  std::vector<CvResult> results;
  {
    const StopScope scope;
    ProgressLine progress(!text);
    std::size_t done = 0;
    double seconds = 0;  // of the finished settings
    CvOptions options;
    options.fit = fit_options_of(data, tables);
    options.fit.stop = scope.flag();
    options.fit.on_warning = [](const std::string& warning) { print_warnings({warning}); };
    options.fit.on_round = [&](const Progress& state) {  // progress counts all settings together
      const Index all = state.rounds * static_cast<Index>(grid.size());
      progress.update({static_cast<Index>(done) * state.rounds + state.round, all, state.tcc, seconds + state.seconds});
    };
    options.on_setting = [&](std::size_t, const CvResult& result) {
      ++done;
      seconds += result.seconds;
    };
    results = cross_validate(views_of(tables), grid, options);
    throw_if_stopped();
  }
  if (out) {
    write_folder(*out, {{kResultsFile, [&] { return results_csv(results, axes); }},
                        {kCvCurvesFile, [&] { return curves_csv(results); }}});
  }
  if (arguments.has("json")) {
    print_text(write_json(results_document(results), DocumentStyle::typed));
    return;
  }
  if (!text) return;
  print("{}", results_text(results, axes));
  if (out) print("Wrote {} and {} to {}\n", kResultsFile, kCvCurvesFile, printable(out->path()));
}

}  // namespace

Verb cv_verb() {
  std::vector<Option> parameters = parameter_options();
  for (Option& option : parameters) {
    if (option.name == "cross_fit") option.help = "Number of folds inside a part, 2 to 1000. auto: 3. [auto]";
  }
  return {
      .name = "cv",
      .help = "Compare settings by their out-of-fold correlations",
      .options =
          combined({data_options(),
                    {{.name = "grid",
                      .value = "NAME=VALUE,...",
                      .help = "Values of a parameter to compare, such as max_depth=2,4. a:b is one value per view. "
                              "Repeat for other parameters: all combinations are compared.",
                      .group = "Data",
                      .repeats = true}},
                    output_options("Folder for the results (CSV)."),
                    parameters,
                    {engine_param_option()}}),
      .files = {{kResultsFile, "Per setting: its parameters, rank, correlations and seconds."},
                {kCvCurvesFile, "Per setting and measured round: TCC."}},
      .footer =
          "Example:\n  treecca cv --view rna=rna.csv --view prot=prot.tsv --grid n_components=1,2,3 --grid "
          "max_depth=2,4",
      .run = run_cv,
  };
}

}  // namespace treecca::cli
