#include "read/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "read/cell.hpp"
#include "support/text.hpp"
#include "support/utf8.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

using Cells = std::span<const std::string>;
using Records = std::span<const TextRecord>;

bool is_text(const std::string& cell) { return parse_cell(cell).kind == CellKind::text; }

bool any_text(Cells cells) { return std::any_of(cells.begin(), cells.end(), is_text); }

bool all_begin_with_text(Records rows) {
  return !rows.empty() &&
         std::all_of(rows.begin(), rows.end(), [](const TextRecord& r) { return is_text(r.cells[0]); });
}

/// Different whole numbers of three digits or more: years, or the keys of genes in a database.
bool are_keys(Cells cells) {
  std::unordered_set<std::string_view> seen;
  return cells.size() > 1 && std::all_of(cells.begin(), cells.end(), [&](const std::string& cell) {
           const std::string_view key = trim(cell);
           return key.size() > 2 && is_plain_integer(key) && seen.insert(key).second;
         });
}

/// 0, 1, 2, ...: column numbers, as data frames without column names write them.
bool are_column_numbers(Cells cells) {
  std::size_t number = 0;
  return !cells.empty() && std::all_of(cells.begin(), cells.end(),
                                       [&](const std::string& cell) { return trim(cell) == std::to_string(number++); });
}

bool rows_are_numbered(Records rows) {
  std::vector<std::string> numbers;
  for (const TextRecord& row : rows) numbers.push_back(row.cells[0]);
  return are_column_numbers(numbers);
}

/// Every column has fractions, and nothing but fractions and missing values.
bool have_only_fractions(Records rows, std::size_t begin, std::size_t end) {
  for (std::size_t j = begin; j < end; ++j) {
    bool any = false;
    for (const TextRecord& row : rows) {
      if (j >= row.cells.size() || is_plain_integer(row.cells[j])) return false;
      any = any || parse_cell(row.cells[j]).kind == CellKind::number;
    }
    if (!any) return false;
  }
  return true;
}

bool begins_with_header(Cells first, Records rows) {
  const Cells others = first.subspan(1);
  if (any_text(others)) return true;
  // From here on at most the first cell is text, but names may be whole numbers. They are taken for
  // names only where a row of data is out of the question, because a row would be lost otherwise.
  const auto whole_above_fractions = [&] { return are_keys(others) && have_only_fractions(rows, 1, first.size()); };
  if (is_text(first[0])) {
    return others.empty() || is_id_name(first[0]) || !all_begin_with_text(rows) || whole_above_fractions();
  }
  if (trim(first[0]).empty()) {
    return all_begin_with_text(rows) || are_column_numbers(others) || rows_are_numbered(rows) ||
           whole_above_fractions();
  }
  return first.size() > 2 && are_column_numbers(first) && have_only_fractions(rows, 0, first.size());
}

/// A header that has one cell fewer than every row: the rows begin with their names, as R writes
/// them. An empty last cell in every row is rather a delimiter too many.
bool lacks_name_of_first_column(Cells first, Records rows) {
  const auto one_more = [&](const TextRecord& row) { return row.cells.size() == first.size() + 1; };
  const auto last_is_empty = [](const TextRecord& row) { return trim(row.cells.back()).empty(); };
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), one_more) &&
         !std::all_of(rows.begin(), rows.end(), last_is_empty) &&
         (any_text(first) || all_begin_with_text(rows) || are_column_numbers(first));
}

void check_feature_names(const TableLayout& layout, const std::string& path) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t j = 0; j < layout.width(); ++j) {
    if (layout.roles[j] == ColumnRole::sample_id || layout.roles[j] == ColumnRole::ignored) continue;
    const std::string& name = layout.names[j];
    if (name.empty()) {
      throw DataError(fmt::format("{}: column {} has no name in the header. Name it or remove it.", path, j + 1));
    }
    if (!is_utf8(name)) {
      throw DataError(fmt::format("{}: the name of column {}, {}, is not UTF-8. Save the file as UTF-8.", path, j + 1,
                                  in_quotes(name)));
    }
    const auto [other, is_new] = seen.emplace(name, j);
    if (!is_new) {
      throw DataError(fmt::format("{}: the columns {} and {} have the same name, {}. Feature names must differ.", path,
                                  other->second + 1, j + 1, in_quotes(name)));
    }
  }
}

std::size_t find_id_column(const std::vector<std::string>& names, const std::string& id_column,
                           const std::string& path) {
  const auto found = std::find(names.begin(), names.end(), id_column);
  if (found == names.end()) {
    constexpr std::size_t kShown = 10;
    std::vector<std::string> shown;
    for (std::size_t j = 0; j < std::min(kShown, names.size()); ++j) shown.push_back(in_quotes(names[j]));
    throw DataError(fmt::format("{} has no column {} for the sample ids; its columns are {}{}.", path,
                                in_quotes(id_column), fmt::join(shown, ", "), names.size() > kShown ? ", ..." : ""));
  }
  if (std::find(found + 1, names.end(), id_column) != names.end()) {
    throw DataError(
        fmt::format("{} has more than one column {}, so the sample ids are not clear.", path, in_quotes(id_column)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

bool is_id_name(std::string_view name) {
  constexpr std::array<std::string_view, 16> kNames = {
      "",        "id",        "ids",         "eid",           "sample",  "sampleid", "patient", "patientid",
      "subject", "subjectid", "participant", "participantid", "barcode", "index",    "rowname", "rownames"};
  name = trim(name);
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(kNames.begin(), kNames.end(), lower) != kNames.end()) return true;
  // Words of their own at the end: subject_id, Case ID, donorId; but not lipid, valid, GRID.
  constexpr std::size_t kLeast = 3;
  if (name.size() < kLeast || !lower.ends_with("id")) return false;
  const char before = name[name.size() - 3];
  const bool separated = std::string_view("_.- ").find(before) != std::string_view::npos;
  const bool capital = name[name.size() - 2] == 'I' && before >= 'a' && before <= 'z';
  return separated || capital;
}

TableLayout recognise_layout(const std::vector<TextRecord>& records, const std::string& id_column,
                             const std::string& path) {
  const Cells first = records.front().cells;
  const Records rows = Records(records).subspan(1);
  TableLayout layout;
  const bool unnamed_first = lacks_name_of_first_column(first, rows);
  layout.has_header = !id_column.empty() || unnamed_first || begins_with_header(first, rows);
  layout.roles.assign(first.size() + (unnamed_first ? 1 : 0), ColumnRole::feature);
  if (!layout.has_header) {
    if (layout.width() > 1) layout.roles[0] = ColumnRole::perhaps_id;
    return layout;
  }

  if (unnamed_first) layout.names.emplace_back();
  for (const std::string& cell : first) layout.names.emplace_back(trim(cell));
  if (!id_column.empty()) {
    const std::size_t id = find_id_column(layout.names, id_column, path);
    if (layout.names[0].empty()) layout.roles[0] = ColumnRole::ignored;
    layout.roles[id] = ColumnRole::sample_id;
  } else if (is_id_name(layout.names[0])) {
    layout.roles[0] = ColumnRole::sample_id;
  } else if (layout.width() > 1) {
    layout.roles[0] = ColumnRole::perhaps_id;
  }
  check_feature_names(layout, path);
  return layout;
}

}  // namespace treecca
