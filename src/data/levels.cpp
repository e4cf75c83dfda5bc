#include "data/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "support/text.hpp"
#include "support/utf8.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

[[noreturn]] void refuse_levels(const std::string& view, const std::string& feature, const std::string& what) {
  throw DataError(fmt::format("View {}, feature {}: {}", in_quotes(view), in_quotes(feature), what));
}

void check_level_names(const std::string& view, const std::string& feature, std::vector<std::string> levels) {
  for (const std::string& level : levels) {
    if (level.empty()) refuse_levels(view, feature, "a level has no name. Name it, or mark it as missing.");
    if (!is_utf8(level)) refuse_levels(view, feature, fmt::format("the level {} is not UTF-8.", in_quotes(level)));
  }
  std::sort(levels.begin(), levels.end());
  const auto twice = std::adjacent_find(levels.begin(), levels.end());
  if (twice != levels.end()) {
    refuse_levels(view, feature, fmt::format("two levels are called {}. Rename one.", in_quotes(*twice)));
  }
}

bool is_position(double value, std::size_t levels) {
  return value >= 0 && value < static_cast<double>(levels) && value == std::floor(value);
}

/// Calls use(row, position) for every sample that has a level.
template <class Use>
void for_each_level(const std::string& view, const std::string& feature, std::size_t levels, const MatrixView& values,
                    Index column, const Use& use) {
  for (Index i = 0; i < values.rows(); ++i) {
    const double value = values.value(i, column);
    if (std::isnan(value)) continue;
    if (!is_position(value, levels)) {
      refuse_levels(view, feature,
                    fmt::format("row {} has the level number {}; the levels have the numbers 0 to {}.", i + 1, value,
                                levels - 1));
    }
    use(i, static_cast<std::size_t>(value));
  }
}

/// Sorted names of the levels that some sample has.
std::vector<std::string> used_levels(const std::vector<std::string>& levels, const std::vector<double>& count) {
  std::vector<std::string> used;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    if (count[level] > 0) used.push_back(levels[level]);
  }
  std::sort(used.begin(), used.end());
  return used;
}

}  // namespace

Levels some_levels(const Levels& levels, const std::vector<std::int32_t>& features) {
  Levels some;
  for (std::size_t f = 0; f < features.size() && !levels.empty(); ++f) {
    some.push_back(levels[static_cast<std::size_t>(features[f])]);
  }
  return some;
}

View with_ordered_levels(const View& view, const Peers& peers, std::shared_ptr<const Matrix<double>>& copy) {
  View result = view;
  if (!view.levels.empty() && static_cast<Index>(view.levels.size()) != view.values.cols()) {
    throw DataError(fmt::format("View {} has {} columns but levels for {}.", in_quotes(view.name), view.values.cols(),
                                view.levels.size()));
  }
  bool any = false, moves = false;
  for (std::size_t j = 0; j < view.levels.size(); ++j) {
    const std::vector<std::string>& levels = view.levels[j];
    if (levels.empty()) continue;
    const std::string& name = view.feature_names[j];
    std::vector<double> count(levels.size(), 0.0);
    peers.agree([&] {
      check_level_names(view.name, name, levels);
      for_each_level(view.name, name, levels.size(), view.values, static_cast<Index>(j),
                     [&](Index, std::size_t level) { count[level] += 1; });
    });
    peers.sum(count);
    result.levels[j] = used_levels(levels, count);
    if (result.levels[j].size() > kMaxLevels) {
      refuse_levels(view.name, name,
                    fmt::format("{} levels; a category has at most {}. Join rare levels, or leave the column out if it "
                                "holds names or free text.",
                                result.levels[j].size(), kMaxLevels));
    }
    any = any || !result.levels[j].empty();
    moves = moves || result.levels[j] != levels;
  }
  if (!any) result.levels.clear();
  if (!any || !moves) return result;
  auto values = std::make_shared<Matrix<double>>(view.values.rows(), view.values.cols());
  for (Index i = 0; i < values->rows(); ++i) {
    for (Index j = 0; j < values->cols(); ++j) (*values)(i, j) = view.values.value(i, j);
  }
  for (std::size_t j = 0; j < view.levels.size(); ++j) {
    if (view.levels[j].empty() || view.levels[j] == result.levels[j]) continue;
    const LevelMatch match = match_levels(view.levels[j], result.levels[j]);
    for (Index i = 0; i < values->rows(); ++i) {
      double& value = (*values)(i, static_cast<Index>(j));
      if (!std::isnan(value)) value = match.position[static_cast<std::size_t>(value)];
    }
  }
  copy = values;
  result.values = MatrixView(*values);
  return result;
}

std::vector<std::vector<double>> counts_of_levels(const View& view, const Peers& peers) {
  std::vector<std::vector<double>> counts;
  for (std::size_t j = 0; j < view.levels.size(); ++j) {
    std::vector<double>& count = counts.emplace_back(view.levels[j].size(), 0.0);
    if (count.empty()) continue;
    for_each_level(view.name, view.feature_names[j], count.size(), view.values, static_cast<Index>(j),
                   [&](Index, std::size_t level) { count[level] += 1; });
    peers.sum(count);
  }
  return counts;
}

LevelMatch match_levels(const std::vector<std::string>& given, const std::vector<std::string>& wanted) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t level = 0; level < wanted.size(); ++level) positions.emplace(wanted[level], level);
  LevelMatch match;
  for (const std::string& level : given) {
    const auto found = positions.find(level);
    const bool known = found != positions.end();
    match.position.push_back(known ? static_cast<double>(found->second) : std::numeric_limits<double>::quiet_NaN());
    if (!known) match.unknown.push_back(level);
  }
  return match;
}

std::vector<std::string> to_model_levels(const std::string& view, const std::vector<std::string>& feature_names,
                                         const Levels& given, const Levels& wanted, Matrix<double>& values) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> notes;
  for (std::size_t j = 0; j < feature_names.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const std::string& name = feature_names[j];
    if (is_category(given, column) != is_category(wanted, column)) {
      const bool all_missing = [&] {
        for (Index i = 0; i < values.rows(); ++i) {
          if (!std::isnan(values(i, column))) return false;
        }
        return true;
      }();
      if (all_missing) continue;
      refuse_levels(view, name,
                    is_category(wanted, column) ? "it is a category in the model, but a number here."
                                                : "it is a number in the model, but a category here.");
    }
    if (!is_category(given, column)) continue;
    const LevelMatch match = match_levels(given[j], wanted[j]);
    std::vector<std::size_t> count(given[j].size(), 0);
    std::size_t lost = 0;
    for_each_level(view, name, given[j].size(), values, column, [&](Index i, std::size_t level) {
      values(i, column) = match.position[level];
      ++count[level];
    });
    std::vector<std::string> unknown;
    for (std::size_t level = 0; level < given[j].size(); ++level) {
      if (!std::isnan(match.position[level]) || count[level] == 0) continue;
      lost += count[level];
      unknown.push_back(in_quotes(given[j][level]));
    }
    if (unknown.empty()) continue;
    const std::size_t more = unknown.size() > kNamed ? unknown.size() - kNamed : 0;
    const std::size_t levels = unknown.size();
    unknown.resize(levels - more);
    notes.push_back(
        fmt::format("View {}, feature {}: the fit had no level {}{}; it counts as missing in {} of {} samples.",
                    in_quotes(view), in_quotes(name), fmt::join(unknown, ", "),
                    more > 0 ? fmt::format(" and {} more", more) : "", lost, values.rows()));
  }
  return notes;
}

void check_positions(const std::string& view, const std::vector<std::string>& feature_names, const Levels& levels,
                     const MatrixView& values) {
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (levels[j].empty()) continue;
    for_each_level(view, feature_names[j], levels[j].size(), values, static_cast<Index>(j), [](Index, std::size_t) {});
  }
}

}  // namespace treecca
