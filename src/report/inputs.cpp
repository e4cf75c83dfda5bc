#include "report/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.hpp"
#include "support/text.hpp"

namespace treecca {

JoinedInputs join_inputs(std::vector<Table>& tables, const std::vector<std::string>& sources) {
  JoinedInputs inputs;
  for (std::size_t v = 0; v < tables.size(); ++v) {
    const Table& table = tables[v];
    inputs.views.push_back({.name = table.name,
                            .source = sources[v],
                            .rows = static_cast<std::uint64_t>(table.values.rows()),
                            .features = static_cast<std::uint64_t>(table.values.cols()),
                            .missing_share = missing_share(table)});
  }
  JoinReport join = join_by_sample(tables, /*allow_one=*/true);
  inputs.by_id = join.by_id;
  inputs.matched = join.matched;
  inputs.warnings = std::move(join.warnings);
  for (std::size_t v = 0; v < tables.size(); ++v) inputs.views[v].dropped = join.dropped[v];
  return inputs;
}

std::string inputs_text(const JoinedInputs& inputs) {
  const bool with_source = std::any_of(inputs.views.begin(), inputs.views.end(),
                                       [](const InputView& input) { return !input.source.empty(); });
  std::vector<std::string> header{"view", "rows", "features", "missing"};
  if (with_source) header.push_back("file");
  TextTable table(header, "lrrrl");
  for (const InputView& input : inputs.views) {
    std::vector<std::string> row{shortened(input.name, 30), std::to_string(input.rows), std::to_string(input.features),
                                 percent(input.missing_share)};
    if (with_source) row.push_back(shortened(input.source, 36));
    table.add_row(row);
  }
  if (inputs.views.size() == 1) return table.to_string(2);
  std::string join = inputs.by_id ? fmt::format("Joined by sample id: {} samples in common", inputs.matched)
                                  : fmt::format("Joined by row order: {} samples", inputs.matched);
  std::string separator = "; dropped ";
  for (const InputView& input : inputs.views) {
    if (input.dropped == 0) continue;
    join += fmt::format("{}{} of {}", separator, input.dropped, printable(input.name));
    separator = ", ";
  }
  return table.to_string(2) + wrapped(join + ".", 2);
}

double missing_share(const Table& table) {
  const auto& values = table.values.values();
  if (values.empty()) return 0;
  const auto missing = std::count_if(values.begin(), values.end(), [](float x) { return std::isnan(x); });
  return static_cast<double>(missing) / static_cast<double>(values.size());
}

std::string sample_name(const std::vector<std::string>& sample_ids, Index i) {
  return sample_ids.empty() ? std::to_string(i + 1) : sample_ids[static_cast<std::size_t>(i)];
}

}  // namespace treecca
