#include "cli/joined_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text.hpp"
#include "cli/view_files.hpp"

namespace treecca::cli {

JoinedInputs join_inputs(std::vector<Table>& tables, const std::vector<std::string>& sources) {
  JoinedInputs inputs;
  for (std::size_t v = 0; v < tables.size(); ++v) {
    inputs.views.push_back({tables[v].name, sources[v], static_cast<std::size_t>(tables[v].values.rows()),
                            static_cast<std::size_t>(tables[v].values.cols()), missing_share(tables[v])});
  }
  inputs.join = join_by_sample(tables, /*allow_one=*/true);
  return inputs;
}

std::string inputs_text(const JoinedInputs& inputs) {
  const bool with_source = std::any_of(inputs.views.begin(), inputs.views.end(),
                                       [](const InputSummary& input) { return !input.source.empty(); });
  std::vector<std::string> header{"view", "rows", "features", "missing"};
  if (with_source) header.push_back("file");
  TextTable table(header, "lrrrl");
  for (const InputSummary& input : inputs.views) {
    std::vector<std::string> row{shortened(input.view, 30), std::to_string(input.rows), std::to_string(input.features),
                                 percent(input.missing_share)};
    if (with_source) row.push_back(shortened(input.source, 36));
    table.add_row(row);
  }
  if (inputs.views.size() == 1) return table.to_string(2);
  std::string join = inputs.join.by_id ? fmt::format("Joined by sample id: {} samples in common", inputs.join.matched)
                                       : fmt::format("Joined by row order: {} samples", inputs.join.matched);
  std::string separator = "; dropped ";
  for (std::size_t v = 0; v < inputs.join.dropped.size(); ++v) {
    if (inputs.join.dropped[v] == 0) continue;
    join += fmt::format("{}{} of {}", separator, inputs.join.dropped[v], printable(inputs.views[v].view));
    separator = ", ";
  }
  return table.to_string(2) + wrapped(join + ".", 2);
}

}  // namespace treecca::cli
