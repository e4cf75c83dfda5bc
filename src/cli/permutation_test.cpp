// treecca permutation-test: tests which components of a model exceed chance.
#include "treecca/permutation_test.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/refit_inputs.hpp"
#include "cli/stop.hpp"
#include "cli/verbs.hpp"
#include "report/files.hpp"
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
  text += wrapped(
      fmt::format("{} permutation{} of {}{}.", test.null.rows(), test.null.rows() == 1 ? "" : "s",
                  in_words(test.permute),
                  test.null.rows() < test.n_permutations
                      ? fmt::format(", of at most {}: by then 50 had reached the correlation, so p is not small",
                                    test.n_permutations)
                      : ""),
      2);
  text += wrapped(
      "p-value: (1 + permutations that reach this correlation) / (1 + permutations). cc1 is compared with the highest "
      "of all K components of each permutation, cc2 with the highest of its first K - 1, and so on. The p-values "
      "hold for all components together. The correlations are out-of-fold correlations of a smaller fit (up to 5 "
      "folds, 30 rounds), which is repeated for every permutation. Components are sorted by them, so their order may "
      "differ from the model. Report the correlations of the model, not these.",
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
  PermutationOptions options;
  options.n_permutations = arguments.integer("n_permutations").value_or(options.n_permutations);
  if (options.n_permutations < 1) {
    throw UsageError(fmt::format("--n_permutations must be at least 1, not {}.", options.n_permutations));
  }
  if (arguments.has("permute")) options.permute = permute_kind(arguments.text("permute"));
  const RefitInputs inputs(arguments, {kTestFile, kNullFile}, "p-values are too small");
  const Model& model = inputs.model();
  PermutationTest test;
  {
    const StopScope scope;
    ProgressLine progress(arguments.has("json") || arguments.has("quiet"));
    options.fit = inputs.options(scope, progress);
    options.fitted = &model;
    Parameters parameters = model.asked;
    if (arguments.has("random_state")) {
      parameters.random_state = parse_parameters(arguments.parameters()).random_state;
    }
    test = permutation_test(inputs.views(), parameters, options);
    throw_if_stopped();
  }
  if (inputs.out()) {
    write_folder(*inputs.out(),
                 {{kTestFile, [&] { return results_csv(test, model); }}, {kNullFile, [&] { return null_csv(test); }}});
  }
  if (arguments.has("json")) {
    print_text(write_json(test_document(test, model), DocumentStyle::typed));
  } else if (!arguments.has("quiet")) {
    print("{}", test_text(test, model));
    if (inputs.out()) print("Wrote {} and {} to {}\n", kTestFile, kNullFile, printable(inputs.out()->path()));
  }
}

}  // namespace

Verb permutation_test_verb() {
  Option seed = seed_option();
  seed.help = "Seed of folds, trees and permutations. The same seed gives the same p-values. [seed of the model]";
  return {
      .name = "permutation-test",
      .help = "Test which components of a model exceed chance",
      .options = refit_options(
          {{.name = "n_permutations",
            .kind = Option::Kind::integer,
            .value = "N",
            .help = "Maximum number of permutations. A component whose correlation 50 permutations have reached is "
                    "decided, "
                    "with p = 50 / permutations until then; once all are, the test stops. [999]"},
           {.name = "permute",
            .choices = {"auto", "rows", "groups", "within_groups"},
            .help = "Units to permute. rows: samples; groups: whole groups with the same number of "
                    "samples; within_groups: the samples of each group; auto: groups with --groups, else rows. "
                    "[auto]"}},
          "Folder for the results (CSV).", seed),
      .files = {{kTestFile,
                 "Per component, and per pair of views: correlation and p-value. cc1 is the highest correlation of the "
                 "test, cc2 the second, and so on; the model may order its components otherwise."},
                {kNullFile,
                 "Per permutation: the correlation with which each component is compared: for cc1 the highest of all K "
                 "components, for cc2 of the first K - 1, and so on."}},
      .footer = "Example:\n  treecca permutation-test run/model.json --view rna=rna.csv --view prot=prot.tsv",
      .run = run_permutation_test,
  };
}

}  // namespace treecca::cli
