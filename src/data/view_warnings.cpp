#include "data/view_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "support/names.hpp"
#include "support/text.hpp"

namespace treecca {
namespace {

using ColumnOfName = std::unordered_map<std::string_view, Index>;

/// A different integer in every row.
bool looks_like_ids(const MatrixView& values, Index column) {
  constexpr float kExact = 16'777'216.0F;  // from here on different integers may be equal as floats
  std::unordered_set<float> seen;
  for (Index i = 0; i < values.rows(); ++i) {
    const float value = values(i, column);
    if (!std::isfinite(value) || value != std::trunc(value)) return false;
    if (std::fabs(value) < kExact && !seen.insert(value).second) return false;
  }
  return values.rows() > 1;
}

ColumnOfName columns_by_name(const View& view) {
  ColumnOfName columns;
  for (std::size_t j = 0; j < view.feature_names.size(); ++j) {
    columns.emplace(view.feature_names[j], static_cast<Index>(j));
  }
  return columns;
}

/// The first suspicious name: one is enough to make the user look.
void warn_of_ids(const std::vector<View>& views, std::vector<std::string>& warnings) {
  if (views.size() < 2 || are_generated(views[0].feature_names)) return;
  std::vector<ColumnOfName> columns;
  for (const View& view : views) columns.push_back(columns_by_name(view));
  const auto looks_like_ids_in = [&](std::size_t v, const std::string& name) {
    const auto column = columns[v].find(name);
    return column != columns[v].end() && looks_like_ids(views[v].values, column->second);
  };
  for (const std::string& name : views[0].feature_names) {
    bool everywhere = true;
    for (std::size_t v = views.size(); everywhere && v-- > 0;) everywhere = looks_like_ids_in(v, name);
    if (!everywhere) continue;
    warnings.push_back(fmt::format(
        "Column {0} of all views holds a different integer in every row, like sample ids, but is used as a feature. If "
        "it names the samples, remove it from the features (command line: --id {0}).",
        in_quotes(name)));
    return;
  }
}

void warn_of_empty_columns(const View& view, const Peers& peers, std::vector<std::string>& warnings) {
  constexpr std::size_t kExamples = 3;
  std::vector<double> has_value(view.feature_names.size(), 0.0);
  for (std::size_t j = 0; j < has_value.size(); ++j) {
    for (Index i = 0; i < view.values.rows() && has_value[j] == 0; ++i) {
      if (!std::isnan(view.values(i, static_cast<Index>(j)))) has_value[j] = 1;
    }
  }
  peers.max(has_value);
  std::vector<std::string> empty;
  for (std::size_t j = 0; j < has_value.size(); ++j) {
    if (has_value[j] == 0) empty.push_back(view.feature_names[j]);
  }
  if (empty.empty()) return;
  const std::size_t shown = std::min(kExamples, empty.size());
  std::string names = fmt::format("{}", fmt::join(empty.begin(), empty.begin() + static_cast<Index>(shown), ", "));
  if (shown < empty.size()) names += fmt::format(" and {} more", empty.size() - shown);
  warnings.push_back(fmt::format("View \"{}\" has columns without any value: {}.", view.name, names));
}

}  // namespace

std::vector<std::string> view_warnings(const Dataset& data) {
  std::vector<std::string> warnings;
  if (data.samples.peers().alone()) warn_of_ids(data.views, warnings);
  for (const View& view : data.views) warn_of_empty_columns(view, data.samples.peers(), warnings);
  return warnings;
}

}  // namespace treecca
