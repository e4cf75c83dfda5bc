#include "cli/input_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "cli/output.hpp"
#include "cli/text.hpp"

namespace treecca::cli {
namespace {

constexpr std::size_t kExamples = 3;

/// A different whole number in every row.
bool looks_like_ids(const Table& table, Index column) {
  constexpr float kExact = 16'777'216.0F;  // from here on different numbers may be equal as floats
  std::unordered_set<float> seen;
  for (Index i = 0; i < table.values.rows(); ++i) {
    const float value = table.values(i, column);
    if (!std::isfinite(value) || value != std::trunc(value)) return false;
    if (std::fabs(value) < kExact && !seen.insert(value).second) return false;
  }
  return table.values.rows() > 1;
}

bool has_made_up_names(const Table& table) { return table.feature_names.front() == "f0"; }

bool looks_like_ids(const Table& table, const std::string& name) {
  const auto found = std::find(table.feature_names.begin(), table.feature_names.end(), name);
  return found != table.feature_names.end() && looks_like_ids(table, found - table.feature_names.begin());
}

void warn_of_ids(const std::vector<Table>& tables, std::vector<std::string>& warnings) {
  if (tables.size() < 2 || has_made_up_names(tables.front())) return;
  for (const std::string& name : tables.front().feature_names) {
    const bool suspicious =
        std::all_of(tables.begin(), tables.end(), [&](const Table& table) { return looks_like_ids(table, name); });
    if (!suspicious) continue;
    const bool by_order = tables.front().sample_ids.empty();
    warnings.push_back(fmt::format(
        "The column \"{0}\" is in every view and holds a different whole number in every row, as sample ids "
        "do, but it is used as a feature{1}. If it names the samples, use --id \"{0}\" to join by it; else "
        "leave it out.",
        name, by_order ? " and rows are matched by their order" : ""));
    return;  // one is enough to make a person look
  }
}

void warn_of_empty_columns(const Table& table, std::vector<std::string>& warnings) {
  std::vector<std::string> empty;
  for (Index j = 0; j < table.values.cols(); ++j) {
    bool any = false;
    for (Index i = 0; i < table.values.rows() && !any; ++i) any = !std::isnan(table.values(i, j));
    if (!any) empty.push_back(table.feature_names[static_cast<std::size_t>(j)]);
  }
  if (empty.empty()) return;
  const std::size_t shown = std::min(kExamples, empty.size());
  std::string names = fmt::format("{}", fmt::join(empty.begin(), empty.begin() + static_cast<Index>(shown), ", "));
  if (shown < empty.size()) names += fmt::format(" and {} more", empty.size() - shown);
  warnings.push_back(fmt::format("View \"{}\" has columns without any value: {}.", table.name, names));
}

}  // namespace

std::vector<std::string> input_warnings(const std::vector<Table>& tables) {
  std::vector<std::string> warnings;
  warn_of_ids(tables, warnings);
  for (const Table& table : tables) warn_of_empty_columns(table, warnings);
  return warnings;
}

std::vector<std::string> join_warnings(const JoinedInputs& inputs) {
  std::vector<std::string> warnings;
  if (!inputs.join.by_id) return warnings;
  std::size_t fewest = 0;
  for (std::size_t v = 1; v < inputs.views.size(); ++v) {
    if (inputs.views[v].rows < inputs.views[fewest].rows) fewest = v;
  }
  if (2 * inputs.join.matched < inputs.views[fewest].rows) {
    warnings.push_back(fmt::format(
        "Only {} of the {} samples of view \"{}\" are in all views. Are the sample ids written alike in all files?",
        inputs.join.matched, inputs.views[fewest].rows, inputs.views[fewest].view));
  }
  return warnings;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    print_message(fmt::format("treecca: warning: {}\n", printable(warning)));
  }
}

}  // namespace treecca::cli
