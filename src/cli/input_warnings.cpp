#include "cli/input_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "cli/output.hpp"
#include "cli/text.hpp"

namespace treecca::cli {
namespace {

bool begins_with_numbers_like_ids(const Table& table) {
  constexpr float kExact = 16'777'216.0F;  // from here on different numbers may be equal as floats
  std::unordered_set<float> seen;
  for (Index i = 0; i < table.values.rows(); ++i) {
    const float value = table.values(i, 0);
    if (!std::isfinite(value) || value != std::trunc(value)) return false;
    if (std::fabs(value) < kExact && !seen.insert(value).second) return false;
  }
  return table.values.rows() > 1;
}

}  // namespace

std::vector<std::string> input_warnings(const std::vector<Table>& tables) {
  if (tables.size() < 2) return {};
  const std::string& name = tables.front().feature_names.front();
  const bool suspicious = std::all_of(tables.begin(), tables.end(), [&](const Table& table) {
    return table.sample_ids.empty() && table.feature_names.front() == name && begins_with_numbers_like_ids(table);
  });
  if (!suspicious || name == "f0") return {};  // f0: the columns have no names of their own
  return {
      fmt::format("The first column of every view is called \"{0}\" and holds a different whole number in "
                  "every row, as sample ids do, but it is used as a feature and rows are matched by their "
                  "order. If it names the samples, use --id \"{0}\" to join by it.",
                  name)};
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    print_message(fmt::format("treecca: warning: {}\n", printable(warning)));
  }
}

}  // namespace treecca::cli
