#include "read/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

/// The first records, with their number format.
class FirstRows {
 public:
  FirstRows(const std::vector<TextRecord>& records, const ReadOptions& options)
      : first(records.front().cells), rows(Records(records).subspan(1)), format_(number_format(options)) {}

  const Cells first;
  const Records rows;

  bool begins_with_header(std::string& note) const;
  bool lacks_name_of_first_column() const;

 private:
  Cell cell(const std::string& text) const { return parse_cell(text, format_); }
  bool is_text(const std::string& text) const { return cell(text).kind == CellKind::text; }
  bool any_text(Cells cells) const {
    return std::any_of(cells.begin(), cells.end(), [&](const std::string& text) { return is_text(text); });
  }
  bool all_begin_with_text() const {
    return !rows.empty() &&
           std::all_of(rows.begin(), rows.end(), [&](const TextRecord& row) { return is_text(row.cells[0]); });
  }
  bool have_only_fractions(std::size_t begin, std::size_t end) const;
  std::vector<double> numbers_of(Cells cells, std::size_t begin) const;
  bool are_names(std::size_t begin, std::string& note) const;
  /// For numbers from cell `begin` on, at least three.
  std::string header_note(std::size_t begin, std::string_view reason) const;
  std::string first_cells(std::size_t begin) const {
    return fmt::format("{}, {}, {}, ...", trim(first[begin]), trim(first[begin + 1]), trim(first[begin + 2]));
  }

  NumberFormat format_;
};

/// Distinct integers of three digits or more: years, or the keys of genes in a database.
bool are_keys(Cells cells) {
  std::unordered_set<std::string_view> seen;
  return cells.size() > 1 && std::all_of(cells.begin(), cells.end(), [&](const std::string& cell) {
           const std::string_view key = trim(cell);
           return key.size() > 2 && is_plain_integer(key) && seen.insert(key).second;
         });
}

/// 0, 1, 2, ...: column numbers, as written by data frames without column names.
bool are_column_numbers(Cells cells, std::size_t number = 0) {
  return !cells.empty() && std::all_of(cells.begin(), cells.end(),
                                       [&](const std::string& cell) { return trim(cell) == std::to_string(number++); });
}

bool rows_are_numbered(Records rows) {
  std::vector<std::string> numbers;
  for (const TextRecord& row : rows) numbers.push_back(row.cells[0]);
  return are_column_numbers(numbers);
}

/// Whether all columns have only fractions and missing values.
bool FirstRows::have_only_fractions(std::size_t begin, std::size_t end) const {
  for (std::size_t j = begin; j < end; ++j) {
    bool any = false;
    for (const TextRecord& row : rows) {
      if (j >= row.cells.size() || is_plain_integer(row.cells[j])) return false;
      any = any || cell(row.cells[j]).kind == CellKind::number;
    }
    if (!any) return false;
  }
  return true;
}

/// The cells from `begin` on as numbers; NaN for other cells.
std::vector<double> FirstRows::numbers_of(Cells cells, std::size_t begin) const {
  std::vector<double> numbers;
  for (std::size_t j = begin; j < cells.size(); ++j) numbers.push_back(cell(cells[j]).value);
  return numbers;
}

bool is_monotone(const std::vector<double>& numbers) {
  const bool up = numbers.size() > 1 && numbers[1] > numbers[0];
  for (std::size_t j = 1; j < numbers.size(); ++j) {
    if (!(up ? numbers[j] > numbers[j - 1] : numbers[j] < numbers[j - 1])) return false;
  }
  return numbers.size() > 1;
}

bool is_evenly_spaced(const std::vector<double>& numbers) {
  constexpr double kRounding = 1e-6;
  const double step = (numbers.back() - numbers.front()) / static_cast<double>(numbers.size() - 1);
  for (std::size_t j = 1; j < numbers.size(); ++j) {
    if (!(std::abs(numbers[j] - numbers[j - 1] - step) <= kRounding * std::abs(step))) return false;
  }
  return true;
}

/// Whether the first row differs from the others as wavelengths or masses differ from measurements.
bool FirstRows::are_names(std::size_t begin, std::string& note) const {
  constexpr std::size_t kFewest = 3;   // numbers
  constexpr std::size_t kEnough = 8;   // numbers that ascend by chance in 1 of 20,000 rows
  constexpr std::size_t kPerhaps = 5;  // in 1 of 60
  constexpr std::size_t kFewRows = 2;  // below the first
  const std::vector<double> names = numbers_of(first, begin);
  if (names.size() < kFewest || rows.size() < kFewRows || !is_monotone(names)) return false;
  std::vector<std::vector<double>> data;
  for (const TextRecord& row : rows) {
    data.push_back(numbers_of(row.cells, begin));
    if (data.back().size() != names.size()) return false;
  }
  const auto none = [&](auto&& property) { return std::none_of(data.begin(), data.end(), property); };
  bool far_outside = true;
  for (std::size_t j = 0; far_outside && j < names.size(); ++j) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::vector<double>& row : data) {
      if (std::isnan(row[j])) continue;
      low = std::min(low, row[j]);
      high = std::max(high, row[j]);
    }
    far_outside = low < high && std::max(low - names[j], names[j] - high) > high - low;
  }
  const char* const direction = names[1] > names[0] ? "ascend" : "descend";
  std::string reason;
  if (names.size() >= kEnough && none(is_monotone)) {
    reason = fmt::format("its numbers {}, but the numbers of other rows do not", direction);
  } else if (names.size() >= kEnough && is_evenly_spaced(names) && none(is_evenly_spaced)) {
    reason = "its numbers are evenly spaced, but the numbers of other rows are not";
  } else if (far_outside) {
    reason = fmt::format("its numbers {} and lie far outside the numbers of other rows", direction);
  } else {
    if (names.size() >= kPerhaps && none(is_monotone)) {
      note = fmt::format(
          "the first row ({}) is read as a sample, but its numbers {}, as in a header of wavelengths, and the numbers "
          "of other rows do not. "
          "If it is the header, use --header yes.",
          first_cells(begin), direction);
    }
    return false;
  }
  note = header_note(begin, reason);
  return true;
}

std::string FirstRows::header_note(std::size_t begin, std::string_view reason) const {
  return fmt::format("the first row ({}) is read as the header, because {}. If it is a sample, use --header no.",
                     first_cells(begin), reason);
}

bool FirstRows::begins_with_header(std::string& note) const {
  const Cells others = first.subspan(1);
  if (any_text(others)) return true;
  // From here on at most the first cell is text, but names may be integers. They are taken as names only if the row is
  // unlikely to be data, because a sample would otherwise be lost.
  const auto whole_above_fractions = [&] { return are_keys(others) && have_only_fractions(1, first.size()); };
  if (is_text(first[0])) {
    return others.empty() || is_id_name(first[0]) || !all_begin_with_text() || whole_above_fractions() ||
           are_names(1, note);
  }
  if (trim(first[0]).empty()) {
    return all_begin_with_text() || are_column_numbers(others) || rows_are_numbered(rows) || whole_above_fractions() ||
           are_names(1, note);
  }
  if (first.size() > 2 && are_column_numbers(first) && have_only_fractions(0, first.size())) return true;
  const bool numbered_from_one = are_column_numbers(first, 1);
  if (first.size() > 2 && rows.size() > 1 && (are_keys(first) || numbered_from_one) &&
      have_only_fractions(0, first.size())) {
    note = header_note(0, "its numbers are integers, but the numbers of other rows have fractions");
    return true;
  }
  return are_names(0, note);
}

/// Whether the header has one cell fewer than every row: R writes row names like this. An empty last cell in every row
/// is more likely an extra delimiter.
bool FirstRows::lacks_name_of_first_column() const {
  const auto one_more = [&](const TextRecord& row) { return row.cells.size() == first.size() + 1; };
  const auto last_is_empty = [](const TextRecord& row) { return trim(row.cells.back()).empty(); };
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), one_more) &&
         !std::all_of(rows.begin(), rows.end(), last_is_empty) &&
         (any_text(first) || all_begin_with_text() || are_column_numbers(first));
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
    const std::size_t equals = id_column.find('=');
    throw DataError(fmt::format("{} has no column {} for the sample ids; its columns are {}{}.{}", path,
                                in_quotes(id_column), fmt::join(shown, ", "), names.size() > kShown ? ", ..." : "",
                                equals == std::string::npos
                                    ? ""
                                    : fmt::format(" No view is called {}.", in_quotes(id_column.substr(0, equals)))));
  }
  if (std::find(found + 1, names.end(), id_column) != names.end()) {
    throw DataError(
        fmt::format("{} has more than one column {}, so the sample ids are not clear.", path, in_quotes(id_column)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

bool are_row_numbers(std::span<const std::string> texts) {
  return are_column_numbers(texts) || are_column_numbers(texts, 1);
}

bool is_id_name(std::string_view name) {
  constexpr std::array<std::string_view, 17> kNames = {
      "",          "id",          "ids",           "eid",     "sample", "sampleid", "patient",  "patientid", "subject",
      "subjectid", "participant", "participantid", "barcode", "index",  "rowname",  "rownames", "unnamed: 0"};
  name = trim(name);
  const std::string lower = lower_case(name);
  if (std::find(kNames.begin(), kNames.end(), lower) != kNames.end()) return true;
  // A separate word at the end: subject_id, Case ID, donorId; but not lipid, valid, GRID.
  constexpr std::size_t kLeast = 3;
  if (name.size() < kLeast || !lower.ends_with("id")) return false;
  const char before = name[name.size() - 3];
  const bool separated = std::string_view("_.- ").find(before) != std::string_view::npos;
  const bool capital = name[name.size() - 2] == 'I' && before >= 'a' && before <= 'z';
  return separated || capital;
}

NumberFormat number_format(const ReadOptions& options) {
  return {.decimal = options.decimal, .thousands = options.thousands, .missing = options.missing};
}

TableLayout recognise_layout(const std::vector<TextRecord>& records, const ReadOptions& options,
                             const std::string& path) {
  const FirstRows table(records, options);
  const std::string& id_column = options.id_column;
  TableLayout layout;
  const bool unnamed_first = options.header != Header::no && table.lacks_name_of_first_column();
  layout.has_header = options.header == Header::yes || !id_column.empty() || unnamed_first ||
                      (options.header == Header::recognise && table.begins_with_header(layout.note));
  if (options.header == Header::no && !id_column.empty()) {
    throw DataError(fmt::format("{}: the id column is given by its name, {}, but the file has no header (--header no).",
                                path, in_quotes(id_column)));
  }
  if (!layout.note.empty()) layout.note = path + ": " + layout.note;
  layout.roles.assign(table.first.size() + (unnamed_first ? 1 : 0), ColumnRole::feature);
  if (!layout.has_header) {
    if (layout.width() > 1 && options.has_ids) layout.roles[0] = ColumnRole::perhaps_id;
    return layout;
  }

  if (unnamed_first) layout.names.emplace_back();
  for (const std::string& cell : table.first) layout.names.emplace_back(trim(cell));
  if (!id_column.empty()) {
    const std::size_t id = find_id_column(layout.names, id_column, path);
    if (layout.names[0].empty()) layout.roles[0] = ColumnRole::ignored;
    layout.roles[id] = ColumnRole::sample_id;
  } else if (!options.has_ids) {
    if (layout.names[0].empty()) layout.roles[0] = ColumnRole::ignored;
  } else if (is_id_name(layout.names[0])) {
    layout.roles[0] = ColumnRole::sample_id;
  } else if (layout.width() > 1) {
    layout.roles[0] = ColumnRole::perhaps_id;
  }
  const auto is_category = [&](const std::string& name) {
    return std::find(options.categorical.begin(), options.categorical.end(), name) != options.categorical.end();
  };
  if (layout.roles[0] == ColumnRole::perhaps_id && is_category(layout.names[0])) layout.roles[0] = ColumnRole::feature;
  for (std::size_t j = 0; j < layout.width(); ++j) {
    const bool dropped = std::find(options.drop.begin(), options.drop.end(), layout.names[j]) != options.drop.end();
    if (!dropped || layout.names[j].empty()) continue;
    layout.roles[j] = ColumnRole::ignored;
    layout.dropped.push_back(layout.names[j]);
  }
  check_feature_names(layout, path);
  return layout;
}

}  // namespace treecca
