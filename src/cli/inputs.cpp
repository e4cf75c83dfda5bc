#include "cli/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/output.hpp"
#include "report/inputs.hpp"
#include "support/levels.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"

namespace treecca::cli {
namespace {

/// The fraction of missing values, 0 to 1.
double missing_share(const Table& table) {
  const auto& values = table.values.values();
  if (values.empty()) return 0;
  const auto missing = std::count_if(values.begin(), values.end(), [](double x) { return std::isnan(x); });
  return static_cast<double>(missing) / static_cast<double>(values.size());
}

/// The labels of --groups in the order of the joined tables; empty without a file.
std::vector<std::int64_t> groups_of(const std::string& file, const std::vector<Table>& tables) {
  if (file.empty()) return {};
  return read_groups(file, tables.front().sample_ids, static_cast<std::size_t>(tables.front().values.rows()));
}

/// The numbers of --weights in the order of the joined tables; empty without a file.
std::vector<double> weights_of(const std::string& file, const std::vector<Table>& tables) {
  if (file.empty()) return {};
  return read_weights(file, tables.front().sample_ids, static_cast<std::size_t>(tables.front().values.rows()));
}

std::vector<double> column_of(const Table& table, Index column) {
  std::vector<double> values;
  for (Index i = 0; i < table.values.rows(); ++i) values.push_back(table.values(i, column));
  return values;
}

void remove_column(Table& table, Index column) {
  Table rest = table;
  rest.feature_names.erase(rest.feature_names.begin() + column);
  if (!rest.levels.empty()) rest.levels.erase(rest.levels.begin() + column);
  rest.values = Matrix<double>(table.values.rows(), table.values.cols() - 1);
  for (Index i = 0; i < table.values.rows(); ++i) {
    const double* from = table.values.row(i);
    std::copy_n(from + column + 1, table.values.cols() - column - 1, std::copy_n(from, column, rest.values.row(i)));
  }
  table = std::move(rest);
}

/// Moves the columns with these names out of all tables. A sample's value comes from the first table that has one.
std::vector<Covariate> take_covariates(const std::vector<std::string>& names, std::vector<Table>& tables) {
  std::vector<Covariate> covariates;
  for (const std::string& name : names) {
    Covariate covariate{name, {}};
    for (Table& table : tables) {
      const auto found = std::find(table.feature_names.begin(), table.feature_names.end(), name);
      if (found == table.feature_names.end()) continue;
      const Index column = found - table.feature_names.begin();
      const std::vector<double> values = column_of(table, column);
      const std::vector<std::string> levels =
          table.levels.empty() ? std::vector<std::string>{} : table.levels[static_cast<std::size_t>(column)];
      if (covariate.values.empty()) {
        covariate.values = values;
        covariate.levels = levels;
      }
      for (std::size_t i = 0; covariate.levels == levels && i < values.size();
           ++i) {  // samples that lack the first view
        if (std::isnan(covariate.values[i])) covariate.values[i] = values[i];
      }
      remove_column(table, column);
    }
    if (covariate.values.empty()) {
      throw DataError(fmt::format("--adjust {}: no view has this column. Give a table that has it with --covariates.",
                                  printable(name)));
    }
    covariates.push_back(std::move(covariate));
  }
  return covariates;
}

std::vector<Covariate> covariates_of(const DataOptions& data, std::vector<Table>& tables) {
  const Table& first = tables.front();
  std::vector<Covariate> covariates =
      data.covariates.path.empty()
          ? take_covariates(data.adjust, tables)
          : read_covariates(data.covariates.path, first.sample_ids, static_cast<std::size_t>(first.values.rows()),
                            data.adjust, data.covariates.reading);
  for (Covariate& covariate : covariates) {
    const auto& classes = data.classes;
    if (std::find(classes.begin(), classes.end(), covariate.name) != classes.end()) {
      if (covariate.levels.empty()) {
        covariate.values = positions_of_numbers(covariate.values, covariate.levels);
      }
    }
  }
  for (const std::string& product : data.products) covariates.push_back({product, {}});
  return covariates;
}

/// Counts the samples that have all views, and for each view the samples that lack it (all values missing).
void count_samples(const std::vector<Table>& tables, JoinedInputs& inputs) {
  for (Index i = 0; i < tables.front().values.rows(); ++i) {
    bool complete = true;
    for (std::size_t v = 0; v < tables.size() && tables.size() > 1; ++v) {
      const double* row = tables[v].values.row(i);
      const bool lacks = std::all_of(row, row + tables[v].values.cols(), [](double x) { return std::isnan(x); });
      inputs.views[v].lacking += lacks ? 1 : 0;
      complete = complete && !lacks;
    }
    inputs.matched += complete ? 1 : 0;
  }
}

}  // namespace

JoinedInputs join_inputs(std::vector<Table>& tables, const std::vector<std::string>& sources, Join how) {
  JoinedInputs inputs;
  for (std::size_t v = 0; v < tables.size(); ++v) {
    const Table& table = tables[v];
    inputs.views.push_back({.name = table.name,
                            .source = sources[v],
                            .rows = static_cast<std::uint64_t>(table.values.rows()),
                            .features = static_cast<std::uint64_t>(table.values.cols()),
                            .missing_share = missing_share(table)});
    inputs.warnings.insert(inputs.warnings.end(), table.notes.begin(), table.notes.end());
  }
  JoinReport join;
  try {
    join = join_by_sample(tables, /*allow_one=*/true, how);
  } catch (const DataError& error) {  // a note about a file may be the cause
    std::string text = error.what();
    for (const std::string& note : inputs.warnings) text += " Note " + note;
    throw DataError(text);
  }
  inputs.by_id = join.by_id;
  inputs.samples = static_cast<std::uint64_t>(tables.front().values.rows());
  count_samples(tables, inputs);
  inputs.warnings.insert(inputs.warnings.end(), join.warnings.begin(), join.warnings.end());
  for (std::size_t v = 0; v < tables.size(); ++v) inputs.views[v].dropped = join.dropped[v];
  return inputs;
}

void print_inputs(const JoinedInputs& inputs, bool text) {
  print_warnings(inputs.warnings);
  if (!text) return;
  print("{}\n", inputs_text(inputs));
  flush_stdout();
}

std::vector<Covariate> covariates_for(const Model& model, const CovariateFile& file, const Table& table) {
  if (model.covariates.empty()) {
    if (file.path.empty()) return {};
    throw UsageError(
        "--covariates: the model was fitted without covariates. Leave them out, or fit a model with them.");
  }
  std::vector<std::string> names;
  std::vector<Covariate> products;  // computed from their factors
  for (const CovariateTerm& term : model.covariates) {
    if (term.knots.empty() && term.levels.empty()) {
      products.push_back({term.name, {}});
    } else {
      names.push_back(term.name);
    }
  }
  if (file.path.empty()) {
    throw UsageError(
        fmt::format("The model was fitted with covariates ({}). Give a table of them with --covariates; "
                    "it may be the file of a view.",
                    fmt::join(names, ", ")));
  }
  std::vector<Covariate> covariates =
      read_covariates(file.path, table.sample_ids, static_cast<std::size_t>(table.values.rows()), names, file.reading);
  covariates.insert(covariates.end(), products.begin(), products.end());
  return covariates;
}

FitOptions fit_options_of(const DataOptions& data, std::vector<Table>& tables) {
  FitOptions options;
  options.covariates = covariates_of(data, tables);
  options.groups = groups_of(data.groups, tables);
  options.sample_weight = weights_of(data.weights, tables);
  options.names = tables[0].sample_ids;
  options.engine_params = data.engine_params;
  return options;
}

}  // namespace treecca::cli
