// treecca permutation-test: tells which components of a model are more than noise.
#include "treecca/permutation_test.hpp"

#include <fmt/format.h>

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
#include "report/pairs.hpp"
#include "report/text.hpp"
#include "support/document.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

constexpr const char* kTestFile = "permutation_test.csv";
constexpr const char* kNullFile = "permutation_null.csv";

std::string_view in_words(Permute kind) {
  switch (kind) {
    case Permute::groups:
      return "whole groups, among those of equal size";
    case Permute::within_groups:
      return "rows within their groups";
    default:
      return "rows";
  }
}

std::string test_text(const PermutationTest& test, const Model& model) {
  const std::size_t components = test.p_values.size();
  const std::vector<ViewPair> pairs = view_pairs(model.views.size(), components);
  std::vector<std::string> header{"component", "correlation", "p-value"};
  if (pairs.size() > 1) {
    for (const ViewPair& pair : pairs) {
      header.push_back(fmt::format("{} - {}", model.views[pair.first].name, model.views[pair.second].name));
    }
  }
  TextTable table(header, "l" + std::string(header.size() - 1, 'r'));
  for (std::size_t c = 0; c < components; ++c) {
    std::vector<std::string> row{fmt::format("cc{}", c + 1), fmt::format("{:.3f}", test.correlations[c]),
                                 fmt::format("{:.3g}", test.p_values[c])};
    if (pairs.size() > 1) {
      for (const ViewPair& pair : pairs) row.push_back(fmt::format("{:.3g}", test.pairwise_p_values[pair.at + c]));
    }
    table.add_row(row);
  }
  std::string text = fmt::format("Permutation test\n{}", table.to_string(2));
  text += wrapped(fmt::format("{} permutation{} of {}{}.", test.null.rows(), test.null.rows() == 1 ? "" : "s",
                              in_words(test.permute),
                              test.null.rows() < test.n_permutations
                                  ? fmt::format(", of {} asked for: the decision was clear", test.n_permutations)
                                  : ""),
                  2);
  text += wrapped(
      "p-value: fraction of permutations in which any component reaches this correlation. It is valid for all "
      "components together. The correlations are out-of-fold and those of a smaller fit (up to 5 folds, 30 rounds), "
      "made for the data and for every permutation alike. Report the correlations of the model, not these.",
      2);
  return text;
}

std::string results_csv(const PermutationTest& test, const Model& model) {
  const std::size_t components = test.p_values.size();
  const std::vector<ViewPair> pairs = view_pairs(model.views.size(), components);
  std::string csv = "component,view,other,correlation,p_value\n";
  for (std::size_t c = 0; c < components; ++c) {
    csv += fmt::format("cc{},,,{},{}\n", c + 1, test.correlations[c], test.p_values[c]);
    for (const ViewPair& pair : pairs) {
      csv += fmt::format("cc{},{},{},{},{}\n", c + 1, csv_cell(model.views[pair.first].name),
                         csv_cell(model.views[pair.second].name), test.pairwise_correlations[pair.at + c],
                         test.pairwise_p_values[pair.at + c]);
    }
  }
  return csv;
}

std::string null_csv(const PermutationTest& test) {
  std::string csv = "permutation";
  for (Index c = 0; c < test.null.cols(); ++c) csv += fmt::format(",cc{}", c + 1);
  csv += "\n";
  for (Index b = 0; b < test.null.rows(); ++b) {
    csv += std::to_string(b + 1);
    for (Index c = 0; c < test.null.cols(); ++c) csv += fmt::format(",{}", test.null(b, c));
    csv += "\n";
  }
  return csv;
}

Document test_document(const PermutationTest& test, const Model& model) {
  const std::size_t components = test.p_values.size();
  std::vector<Document> pairs;
  for (const ViewPair& pair : view_pairs(model.views.size(), components)) {
    const auto of_pair = [&](const std::vector<double>& values) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(pair.at);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(components));
    };
    pairs.push_back(Document::object()
                        .add("view", model.views[pair.first].name)
                        .add("other", model.views[pair.second].name)
                        .add("correlations", of_pair(test.pairwise_correlations))
                        .add("p_values", of_pair(test.pairwise_p_values)));
  }
  std::vector<Document> null;
  for (Index b = 0; b < test.null.rows(); ++b) {
    null.emplace_back(std::vector<double>(test.null.row(b), test.null.row(b) + test.null.cols()));
  }
  return Document::object()
      .add("p_values", test.p_values)
      .add("correlations", test.correlations)
      .add("pairs", Document(std::move(pairs)))
      .add("permute", std::string(name_of(test.permute)))
      .add("n_permutations", test.null.rows())
      .add("null", Document(std::move(null)));
}

void run_permutation_test(const Arguments& arguments) {
  const std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  const DataOptions data = data_options_of(arguments);
  DataOptions without_covariates = data;  // those of the model are read by name
  without_covariates.covariates.clear();
  const Parameters own = parse_parameters(arguments.parameters());
  PermutationOptions options;
  options.n_permutations = arguments.integer("n_permutations").value_or(options.n_permutations);
  if (arguments.has("permute")) options.permute = permute_kind(arguments.text("permute"));
  const Model model = load_model(arguments.text("MODEL"));
  for (const ViewFile& file : files) view_index(model, file.name, "Name one with --view NAME=FILE.");
  check_all_views_given(model, files, "permutation-test");
  std::optional<OutputFolder> out;
  if (arguments.has("out")) {
    out.emplace(arguments.text("out"));
    const std::string folder = out->path() + "/";
    refuse_overwriting({folder + kTestFile, folder + kNullFile}, input_paths(files, data));
  }
  std::vector<Table> tables = read_views_of(model, files, read_options_of(arguments, files), own.n_jobs);
  const JoinedInputs inputs = join_inputs(tables, paths_of(files), data.join);
  const bool text = !arguments.has("json") && !arguments.has("quiet");
  print_inputs(inputs, text);
  std::vector<View> views(model.views.size());
  for (const View& view : views_of(tables)) views[static_cast<std::size_t>(view_index(model, view.name))] = view;
  const std::vector<Covariate> covariates = covariates_for(model, data.covariates, tables.front());
  PermutationTest test;
  {
    const StopScope scope;
    ProgressLine progress(!text);
    options.fit = fit_options_of(without_covariates, tables);
    options.fit.covariates = covariates;
    if (options.fit.groups.empty() && model.independent_samples < model.n_samples) {
      print_warnings({"The model was fitted with groups. Give them here too (--groups), or p-values are too small."});
    }
    options.fit.stop = scope.flag();
    options.fit.on_warning = [](const std::string& warning) { print_warnings({warning}); };
    options.fit.on_round = [&](const Progress& state) { progress.update(state); };
    Parameters parameters = model.asked;
    parameters.n_jobs = own.n_jobs;
    if (arguments.has("random_state")) parameters.random_state = own.random_state;
    test = permutation_test(views, parameters, options);
    throw_if_stopped();
  }
  if (out) {
    write_folder(*out,
                 {{kTestFile, [&] { return results_csv(test, model); }}, {kNullFile, [&] { return null_csv(test); }}});
  }
  if (arguments.has("json")) {
    print_text(write_json(test_document(test, model), DocumentStyle::typed));
  } else if (!arguments.has("quiet")) {
    print("{}", test_text(test, model));
    if (out) print("Wrote {} and {} to {}\n", kTestFile, kNullFile, printable(out->path()));
  }
}

/// The covariates are those of the model: they cannot be chosen.
std::vector<Option> without_option(std::vector<Option> options, const std::string& name) {
  std::erase_if(options, [&](const Option& option) { return option.name == name; });
  return options;
}

}  // namespace

Verb permutation_test_verb() {
  Option seed = seed_option();
  seed.help =
      "Seed of folds, trees and permutations. The same seed gives the same p-values. By default that of the model.";
  return {
      .name = "permutation-test",
      .help = "Test which components of a model exceed chance",
      .options =
          combined({{model_argument(),
                     {.name = "n_permutations",
                      .kind = Option::Kind::integer,
                      .value = "N",
                      .help = "Maximum number of permutations. Fewer are made once the decision is clear. [999]"},
                     {.name = "permute",
                      .choices = {"rows", "groups", "within_groups"},
                      .help = "What is exchanged: rows; groups (whole groups with the same number of samples); "
                              "within_groups (the rows of each group). [groups with --groups, else rows]"}},
                    without_option(data_options(), "adjust"),
                    output_options("Folder for permutation_test.csv and permutation_null.csv."),
                    {seed, threads_option()}}),
      .footer = "Example:\n  treecca permutation-test run/model.json --view rna=rna.csv --view prot=prot.tsv",
      .run = run_permutation_test,
  };
}

}  // namespace treecca::cli
