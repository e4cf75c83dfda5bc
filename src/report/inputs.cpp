#include "report/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.hpp"
#include "support/text.hpp"

namespace treecca {

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
  const std::string groups =
      inputs.groups > 0 ? wrapped(fmt::format("{} groups, each within one fold.", inputs.groups), 2) : "";
  if (inputs.views.size() == 1) return table.to_string(2) + groups;
  const std::uint64_t samples = std::max(inputs.samples, inputs.matched);
  const bool complete = samples == inputs.matched;
  std::string join = fmt::format("Joined by {}: {} samples{}", inputs.by_id ? "sample id" : "row order", samples,
                                 inputs.by_id && complete ? " in common" : "");
  if (!complete) join += fmt::format(", {} of them in all views", inputs.matched);
  for (const InputView& input : inputs.views) {
    if (input.lacking > 0) join += fmt::format("; {} lack {}", input.lacking, printable(input.name));
  }
  std::string separator = "; dropped ";
  for (const InputView& input : inputs.views) {
    if (input.dropped == 0) continue;
    join += fmt::format("{}{} of {}", separator, input.dropped, printable(input.name));
    separator = ", ";
  }
  return table.to_string(2) + wrapped(join + ".", 2) + groups;
}

std::string sample_name(const std::vector<std::string>& sample_ids, Index i) {
  return sample_ids.empty() ? std::to_string(i + 1) : sample_ids[static_cast<std::size_t>(i)];
}

}  // namespace treecca
