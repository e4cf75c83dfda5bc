#include "data/view_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "data/design.hpp"
#include "data/levels.hpp"
#include "data/precision.hpp"
#include "data/sample_warnings.hpp"
#include "data/shared_features.hpp"
#include "support/names.hpp"
#include "support/random.hpp"
#include "support/text.hpp"

namespace treecca {
namespace {

using ColumnOfName = std::unordered_map<std::string_view, Index>;

/// Whether every row has a different integer.
bool looks_like_ids(const MatrixView& values, Index column) {
  constexpr float kExact = 16'777'216.0F;  // from here on, different integers may be equal as floats
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

/// Warns of the first such column only, because one example is enough.
void warn_of_ids(const std::vector<View>& views, std::vector<std::string>& warnings) {
  if (views.size() < 2 || are_generated(views[0].feature_names)) return;
  std::vector<ColumnOfName> columns;
  for (const View& view : views) columns.push_back(columns_by_name(view));
  const auto looks_like_ids_in = [&](std::size_t v, const std::string& name) {
    const auto column = columns[v].find(name);
    return column != columns[v].end() && !is_category(views[v].levels, column->second) &&
           looks_like_ids(views[v].values, column->second);
  };
  for (const std::string& name : views[0].feature_names) {
    bool everywhere = true;
    for (std::size_t v = views.size(); everywhere && v-- > 0;) everywhere = looks_like_ids_in(v, name);
    if (!everywhere) continue;
    warnings.push_back(fmt::format(
        "Column {0} of all views holds a different integer in every row, like sample ids, but is used as a feature. If "
        "it names the samples, match the rows by it (command line: --id {0}; Python: set_index and treecca.align).",
        in_quotes(name)));
    return;
  }
}

/// The only column of a view that looks like ids; empty if there are several, which are ranks rather than ids.
std::optional<Index> only_id_column(const View& view) {
  constexpr Index kFewIds = 10;  // with fewer, small integers may be a permutation by chance
  std::optional<Index> found;
  if (view.values.rows() < kFewIds) return found;
  for (Index j = 0; j < view.values.cols(); ++j) {
    if (is_category(view.levels, j) || !looks_like_ids(view.values, j)) continue;
    if (found) return std::nullopt;
    found = j;
  }
  return found;
}

/// Whether two columns hold mostly the same ids, but not always in the same rows.
bool hold_ids_in_other_rows(const MatrixView& a, Index column_a, const MatrixView& b, Index column_b) {
  constexpr double kInCommon = 0.5;
  std::unordered_set<double> ids;
  for (Index i = 0; i < a.rows(); ++i) ids.insert(a.value(i, column_a));
  Index common = 0, in_place = 0;
  for (Index i = 0; i < b.rows(); ++i) {
    common += ids.contains(b.value(i, column_b)) ? 1 : 0;
    in_place += i < a.rows() && a.value(i, column_a) == b.value(i, column_b) ? 1 : 0;
  }
  return static_cast<double>(common) >= kInCommon * static_cast<double>(b.rows()) && in_place < common;
}

/// Columns of two views that hold the same ids in a different order: the rows of the views do not match.
void warn_of_unmatched_rows(const std::vector<View>& views, std::vector<std::string>& warnings) {
  std::vector<std::optional<Index>> ids;
  for (const View& view : views) ids.push_back(only_id_column(view));
  const auto name_of = [&](std::size_t v) -> const std::string& {
    return views[v].feature_names[static_cast<std::size_t>(*ids[v])];
  };
  for (std::size_t v = 0; v < views.size(); ++v) {
    for (std::size_t w = v + 1; w < views.size(); ++w) {
      if (!ids[v] || !ids[w] || !hold_ids_in_other_rows(views[v].values, *ids[v], views[w].values, *ids[w])) continue;
      const bool named = !are_generated(views[v].feature_names) && !are_generated(views[w].feature_names);
      warnings.push_back(fmt::format(
          "Column {} of view {} and column {} of view {} look like sample ids: they contain the same integers, but in "
          "other rows. So the rows do not belong together. Match them by these columns ({}Python: set_index and "
          "treecca.align).",
          in_quotes(name_of(v)), in_quotes(views[v].name), in_quotes(name_of(w)), in_quotes(views[w].name),
          named ? fmt::format("command line: --id {}={} --id {}={}; ", views[v].name, name_of(v), views[w].name,
                              name_of(w))
                : "command line: give the files a header, then --id; "));
      return;
    }
  }
}

/// "a", "b", "c" and 4 more
std::string first_names(const View& view, const std::vector<Index>& columns) {
  constexpr std::size_t kExamples = 3;
  const std::size_t shown = std::min(kExamples, columns.size());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shown; ++i)
    names.push_back(in_quotes(view.feature_names[static_cast<std::size_t>(columns[i])]));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (shown < columns.size()) text += fmt::format(" and {} more", columns.size() - shown);
  return text;
}

void warn_of_blurred_columns(const View& view, const Peers& peers, std::vector<std::string>& warnings) {
  const std::vector<Index> blurred = blurred_columns(view.values, peers);
  if (blurred.empty()) return;
  warnings.push_back(
      fmt::format("View {}: trees use single precision, in which many different values of {} are equal. Subtract a "
                  "constant from {}, or mark far-out values such as 0 or -999 as missing.",
                  in_quotes(view.name), first_names(view, blurred), blurred.size() == 1 ? "it" : "each"));
}

void warn_of_many_levels(const View& view, std::vector<std::string>& warnings) {
  const std::vector<Index> left_out = features_without_indicators(view.levels);
  if (left_out.empty()) return;
  warnings.push_back(
      fmt::format("View {}: linear CCA leaves out {}, which {} more than {} levels; trees use {}. Join rare levels if "
                  "a linear part should use {}.",
                  in_quotes(view.name), first_names(view, left_out), left_out.size() == 1 ? "has" : "have",
                  kMostIndicators, left_out.size() == 1 ? "it" : "them", left_out.size() == 1 ? "it" : "them"));
}

void warn_of_empty_columns(const View& view, const Peers& peers, std::vector<std::string>& warnings) {
  std::vector<double> has_value(view.feature_names.size(), 0.0);
  for (std::size_t j = 0; j < has_value.size(); ++j) {
    for (Index i = 0; i < view.values.rows() && has_value[j] == 0; ++i) {
      if (!std::isnan(view.values(i, static_cast<Index>(j)))) has_value[j] = 1;
    }
  }
  peers.max(has_value);
  std::vector<Index> empty;
  for (std::size_t j = 0; j < has_value.size(); ++j) {
    if (has_value[j] == 0) empty.push_back(static_cast<Index>(j));
  }
  if (empty.empty()) return;
  warnings.push_back(
      fmt::format("View {} has columns without any value: {}.", in_quotes(view.name), first_names(view, empty)));
}

/// The two lowest and the two highest distinct values of a column, and the frequencies of the outer ones.
struct Extremes {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double low[2] = {kInfinity, kInfinity};  // lowest first
  double high[2] = {-kInfinity, -kInfinity};
  Index count = 0, count_low = 0, count_high = 0;

  void add(double value) {
    if (!std::isfinite(value)) return;
    ++count;
    if (value < low[0]) {
      low[1] = std::exchange(low[0], value);
      count_low = 0;
    } else if (value > low[0]) {
      low[1] = std::min(low[1], value);
    }
    if (value == low[0]) ++count_low;
    if (value > high[0]) {
      high[1] = std::exchange(high[0], value);
      count_high = 0;
    } else if (value < high[0]) {
      high[1] = std::max(high[1], value);
    }
    if (value == high[0]) ++count_high;
  }

  /// The lowest or highest value if it is frequent and far from all others, as -999 for "missing".
  std::optional<double> placeholder() const {
    constexpr double kFar = 5;          // ranges of the other values
    constexpr double kFrequent = 0.01;  // of the values
    constexpr Index kLeastOften = 3;
    constexpr Index kOthers = 10;  // fewer may be close to each other and far from 0 by chance, as counts are
    const auto frequent = [&](Index n) {
      return n >= kLeastOften && count - n >= kOthers &&
             static_cast<double>(n) >= kFrequent * static_cast<double>(count);
    };
    const double range_above = high[0] - low[1];
    const double range_below = high[1] - low[0];
    if (frequent(count_low) && range_above > 0 && low[1] - low[0] > kFar * range_above) return low[0];
    if (frequent(count_high) && range_below > 0 && high[0] - high[1] > kFar * range_below) return high[0];
    return std::nullopt;
  }
};

void warn_of_placeholders(const View& view, std::vector<std::string>& warnings) {
  constexpr std::size_t kValues = 3;  // enough for an example
  std::vector<Extremes> extremes(view.feature_names.size());
  for (Index i = 0; i < view.values.rows(); ++i) {
    for (std::size_t j = 0; j < extremes.size(); ++j) extremes[j].add(view.values.value(i, static_cast<Index>(j)));
  }
  std::map<double, std::vector<Index>> columns_of_value;
  for (std::size_t j = 0; j < extremes.size(); ++j) {
    if (is_category(view.levels, static_cast<Index>(j))) continue;
    if (const std::optional<double> value = extremes[j].placeholder()) {
      columns_of_value[*value].push_back(static_cast<Index>(j));
    }
  }
  std::size_t shown = 0;
  for (const auto& [value, columns] : columns_of_value) {
    if (shown++ == kValues) return;
    warnings.push_back(
        fmt::format("View {}: the value {} is frequent and far from all others in {}. If it means missing, mark it as "
                    "missing (command line: --na {}).",
                    in_quotes(view.name), value, first_names(view, columns), value));
  }
}

}  // namespace

std::vector<std::string> view_warnings(const Dataset& data) {
  std::vector<std::string> warnings;
  const bool alone = data.samples.peers().alone();
  if (alone) warn_of_unmatched_rows(data.views, warnings);
  if (alone && warnings.empty()) warn_of_ids(data.views, warnings);
  const bool told_of_ids = !warnings.empty();
  std::string shared = shared_features_warning(data, [&](std::size_t view, Index column) {
    return told_of_ids && looks_like_ids(data.views[view].values, column);
  });
  if (!shared.empty()) warnings.push_back(std::move(shared));
  for (const View& view : data.views) {
    if (alone) warn_of_placeholders(view, warnings);
    warn_of_empty_columns(view, data.samples.peers(), warnings);
    warn_of_blurred_columns(view, data.samples.peers(), warnings);
    warn_of_many_levels(view, warnings);
  }
  for (std::string& warning : sample_warnings(data)) warnings.push_back(std::move(warning));
  warnings.insert(warnings.end(), data.covariates.warnings.begin(), data.covariates.warnings.end());
  return warnings;
}

}  // namespace treecca
