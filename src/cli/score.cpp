// treecca score: measures the correlations of a model's components on new samples.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/data_options.hpp"
#include "cli/inputs.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "cli/verbs.hpp"
#include "cli/view_files.hpp"
#include "report/inputs.hpp"
#include "report/pairs.hpp"
#include "report/text.hpp"
#include "support/document.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/metrics.hpp"
#include "treecca/new_data.hpp"

namespace treecca::cli {
namespace {

constexpr Index kFewSamples = 20;

/// `pairwise`: M x M x K, shown for more than two views.
std::string score_text(const Model& model, const JoinedInputs& inputs, const std::vector<double>& found,
                       const std::vector<double>& pairwise, bool in_sample) {
  const std::vector<double>& expected = model.correlations.out_of_fold;
  std::vector<std::string> header{"component", in_sample ? "correlation (in-sample)" : "correlation"};
  std::vector<std::string> totals{"total (TCC)", fmt::format("{:.3f}", total_correlation(found))};
  if (!expected.empty()) {
    header.push_back("out-of-fold at fit");
    totals.push_back(fmt::format("{:.3f}", total_correlation(expected)));
  }
  std::vector<ViewPair> pairs;
  if (model.views.size() > 2) pairs = view_pairs(model.views.size(), found.size());
  for (const ViewPair& pair : pairs) {
    header.push_back(fmt::format("{} - {}", shortened(model.views[pair.first].name, 20),
                                 shortened(model.views[pair.second].name, 20)));
    totals.emplace_back();
  }
  TextTable table(header, "l" + std::string(header.size() - 1, 'r'));
  for (std::size_t k = 0; k < found.size(); ++k) {
    std::vector<std::string> row{fmt::format("cc{}", k + 1), fmt::format("{:.3f}", found[k])};
    if (!expected.empty()) row.push_back(fmt::format("{:.3f}", expected[k]));
    for (const ViewPair& pair : pairs) row.push_back(fmt::format("{:.3f}", pairwise[pair.at + k]));
    table.add_row(row);
  }
  table.add_rule();
  table.add_row(totals);
  return inputs_text(inputs) + "\n" + table.to_string(2);
}

/// The smallest number of samples that two views share.
Index least_shared(const std::vector<Matrix<float>>& variates) {
  Index least = variates[0].rows();
  for (const Matrix<float>& a : variates) {
    for (const Matrix<float>& b : variates) {
      Index rows = 0;
      for (Index i = 0; i < a.rows(); ++i) rows += std::isnan(a(i, 0)) || std::isnan(b(i, 0)) ? 0 : 1;
      least = std::min(least, rows);
    }
  }
  return least;
}

void run_score(const Arguments& arguments) {
  const std::vector<ViewFile> files = parse_view_files(arguments.texts("view"));
  const Parameters parameters = parse_parameters(arguments.parameters());
  const Model model = load_model(arguments.text("MODEL"));
  for (const ViewFile& file : files) {
    view_index(model, file.name, "Name one with --view NAME=FILE.");
  }
  check_all_views_given(model, files, "score");
  std::vector<Table> tables = read_views_of(model, files, read_options_of(arguments, files), parameters.n_jobs);
  const JoinedInputs inputs = join_inputs(tables, paths_of(files), join_of(arguments));
  if (inputs.samples < 2) {
    throw DataError(
        fmt::format("The views have only {} sample in common; a correlation needs at least two.", inputs.samples));
  }
  print_warnings(inputs.warnings);
  const std::vector<Covariate> covariates = covariates_for(model, covariate_file_of(arguments), tables.front());
  std::vector<Matrix<float>> variates(model.views.size());
  std::vector<MatrixView> values(model.views.size());
  for (const Table& table : tables) {
    const Index view = view_index(model, table.name);
    variates[static_cast<std::size_t>(view)] = transform(model, view, table.values, parameters.n_jobs, covariates);
    values[static_cast<std::size_t>(view)] = table.values;
  }
  const Index n = least_shared(variates);
  if (n < kFewSamples + model.n_components()) {
    print_warnings({fmt::format("There are only {} samples{}: the standard error of a correlation is about {:.2f}.", n,
                                n < static_cast<Index>(inputs.samples) ? " that two views share" : "",
                                1 / std::sqrt(static_cast<double>(std::max<Index>(1, n))))});
  }
  const std::vector<double> found = component_correlations(variates);
  const std::vector<double> pairwise = pairwise_correlations(variates);
  const SeenSamples seen = seen_samples(model, values, parameters.n_jobs);
  if (!seen.warning.empty()) print_warnings({seen.warning});
  const std::string below = far_below_fit(model, found, n);
  if (!below.empty()) print_warnings({below});
  const double distinct = distinct_tcc(variates);
  constexpr double kRepeats = 0.95;
  if (const double sum = tcc(variates); below.empty() && distinct < kRepeats * sum) {
    print_warnings(
        {fmt::format("Components overlap on these samples: counted once, their absolute correlations add up "
                     "to {:.2f}, not to {:.2f}.",
                     distinct, sum)});
  }
  if (arguments.has("json")) {
    std::vector<Document> pairs;
    for (const ViewPair& pair : view_pairs(model.views.size(), found.size())) {
      const auto begin = pairwise.begin() + static_cast<std::ptrdiff_t>(pair.at);
      pairs.push_back(Document::object()
                          .add("view", model.views[pair.first].name)
                          .add("other", model.views[pair.second].name)
                          .add("correlations", std::vector<double>(begin, begin + model.n_components())));
    }
    const Document scores = Document::object()
                                .add("n_samples", inputs.samples)
                                .add("correlations", found)
                                .add("pairs", Document(std::move(pairs)))
                                .add("tcc", total_correlation(found))
                                .add("distinct_tcc", distinct)
                                .add("in_sample", seen.in_sample());
    print_text(write_json(scores, DocumentStyle::typed));
  } else {
    print("{}", score_text(model, inputs, found, pairwise, seen.in_sample()));
  }
}

}  // namespace

Verb score_verb() {
  return {
      .name = "score",
      .help = "Measure the correlations of a model on new samples",
      .options = combined({{model_argument(),
                            {.name = "view",
                             .value = "[NAME=]FILE",
                             .help = "Table of new samples. Give every view of the model.",
                             .repeats = true},
                            join_option(),
                            {.name = "json", .kind = Option::Kind::flag, .help = "Print JSON."},
                            model_covariates_option(),
                            threads_option()},
                           reading_options()}),
      .footer = "Example:\n  treecca score run/model.json --view rna=rna_test.csv --view prot=prot_test.tsv",
      .run = run_score,
  };
}

}  // namespace treecca::cli
