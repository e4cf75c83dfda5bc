#include "cli/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/output.hpp"
#include "report/inputs.hpp"
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

}  // namespace

JoinedInputs join_inputs(std::vector<Table>& tables, const std::vector<std::string>& sources) {
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
    join = join_by_sample(tables, /*allow_one=*/true);
  } catch (const DataError& error) {  // a decision about a file may be the cause
    std::string text = error.what();
    for (const std::string& note : inputs.warnings) text += " Note " + note;
    throw DataError(text);
  }
  inputs.by_id = join.by_id;
  inputs.matched = join.matched;
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

FitOptions fit_options_of(const DataOptions& data, const std::vector<Table>& tables) {
  FitOptions options;
  options.groups = groups_of(data.groups, tables);
  options.sample_weight = weights_of(data.weights, tables);
  options.names = tables[0].sample_ids;
  options.engine_params = data.engine_params;
  return options;
}

}  // namespace treecca::cli
