// match_features: the columns of a table in the order of a model's features.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/columns.hpp"
#include "data/levels.hpp"
#include "data/match_features.hpp"
#include "support/names.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

constexpr std::size_t kNamed = 10;

[[noreturn]] void fail_absent(const std::string& view, const std::vector<std::string>& absent, std::size_t wanted) {
  std::vector<std::string> named;
  for (std::size_t j = 0; j < std::min(kNamed, absent.size()); ++j) named.push_back(in_quotes(absent[j]));
  const std::size_t more = absent.size() - named.size();
  throw DataError(fmt::format("The view {} lacks {} of the {} features seen at fit time: {}{}.", in_quotes(view),
                              absent.size(), wanted, fmt::join(named, ", "),
                              more > 0 ? fmt::format(" and {} more", more) : ""));
}

}  // namespace

std::vector<Index> feature_columns(const std::string& view, const std::vector<std::string>& given,
                                   const std::vector<std::string>& wanted) {
  if (given == wanted) return {};
  constexpr Index kTwice = -1;
  std::unordered_map<std::string_view, Index> column_of_name;
  for (std::size_t j = 0; j < given.size(); ++j) {
    const auto [entry, is_new] = column_of_name.emplace(given[j], static_cast<Index>(j));
    if (!is_new) entry->second = kTwice;
  }
  std::vector<Index> columns;
  std::vector<std::string> absent;
  for (const std::string& name : wanted) {
    const auto found = column_of_name.find(name);
    if (found == column_of_name.end()) {
      absent.push_back(name);
      continue;
    }
    if (found->second == kTwice) {
      throw DataError(fmt::format("The view {} has the feature {} more than once.", in_quotes(view), in_quotes(name)));
    }
    columns.push_back(found->second);
  }
  if (absent.empty()) return columns;
  const bool unnamed_columns = are_generated(given);
  const bool unnamed_features = are_generated(wanted);
  if (!columns.empty() || !(unnamed_columns || unnamed_features)) fail_absent(view, absent, wanted.size());
  if (given.size() == wanted.size()) return {};
  const auto kind = [](bool unnamed) { return unnamed ? " without names" : ""; };
  throw DataError(
      fmt::format("The view {} has {} columns{} where the model has {} features{}, so they cannot be matched.",
                  in_quotes(view), given.size(), kind(unnamed_columns), wanted.size(), kind(unnamed_features)));
}

void match_features(Table& table, const std::vector<std::string>& feature_names) {
  const std::vector<Index> columns = feature_columns(table.name, table.feature_names, feature_names);
  table.feature_names = feature_names;
  if (columns.empty()) return;
  table.values = some_columns(table.values, columns);
  if (table.levels.empty()) return;
  Levels levels;
  for (const Index column : columns) levels.push_back(std::move(table.levels[static_cast<std::size_t>(column)]));
  table.levels = std::move(levels);
}

void match_levels(Table& table, const Levels& levels) {
  for (std::string& note : to_model_levels(table.name, table.feature_names, table.levels, levels, table.values)) {
    table.notes.push_back(std::move(note));
  }
  table.levels = levels;
}

}  // namespace treecca
