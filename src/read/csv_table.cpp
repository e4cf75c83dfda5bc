#include "read/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "read/cell.hpp"
#include "read/csv_reader.hpp"
#include "read/table_layout.hpp"
#include "support/names.hpp"
#include "support/text.hpp"
#include "support/utf8.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

constexpr std::size_t kLayoutBytes = std::size_t{4} << 20;
/// Number of rows after which the reader decides whether the first column holds ids. Until then its text must be kept.
constexpr std::size_t kDecisionRows = 1000;

/// Enough records to recognise the layout, but at most a few megabytes of text after the second.
std::vector<TextRecord> read_first_records(CsvReader& csv) {
  std::vector<TextRecord> records;
  std::vector<std::string_view> cells;
  std::size_t bytes = 0;
  while (records.size() < kLayoutRecords && (records.size() < 2 || bytes < kLayoutBytes) && csv.next(cells)) {
    for (const std::string_view cell : cells) bytes += cell.size() + sizeof(std::string);
    records.push_back({csv.line(), {cells.begin(), cells.end()}});
  }
  return records;
}

/// Whether a file separated by commas probably has decimal commas: 1,05,2,7 gives twice as many columns of integers,
/// some of which begin with 0.
void check_split_decimals(const std::vector<TextRecord>& records, const std::string& path) {
  const std::size_t width = records[0].cells.size();
  if (width % 2 != 0) return;
  const std::string* example[2] = {nullptr, nullptr};
  for (const TextRecord& record : records) {
    if (record.cells.size() != width) return;
    for (std::size_t j = 0; j < width; ++j) {
      std::string_view cell = trim(record.cells[j]);
      if (j % 2 == 0 && cell.starts_with('-')) cell.remove_prefix(1);
      if (!is_plain_integer(cell)) return;
      if (j % 2 == 0 && cell.size() > 1 && cell[0] == '0') return;
      if (j % 2 == 1 && cell.size() > 1 && cell[0] == '0' && example[0] == nullptr) {
        example[0] = &record.cells[j - 1];
        example[1] = &record.cells[j];
      }
    }
  }
  if (example[0] == nullptr) return;
  throw DataError(fmt::format(
      "{}: commas separate the cells, but \"{},{}\" looks like one number with a decimal comma. Save the table with "
      "semicolons or tabs between the cells and use --decimal ,. If these are integers, add a header.",
      path, trim(*example[0]), trim(*example[1])));
}

bool is_yes_or_no(std::string_view text) {
  static constexpr std::string_view kWords[] = {"t", "f", "y", "n", "yes", "no"};
  return std::find(std::begin(kWords), std::end(kWords), lower_case(text)) != std::end(kWords);
}

/// The first cell of a column that is not a number, and the number of such cells.
struct Offender {
  std::size_t line = 0;
  std::string text;
  CellKind kind = CellKind::text;
  std::size_t count = 0;
};

void count(std::map<std::size_t, Offender>& offenders, std::size_t column, std::size_t line, std::string_view text,
           CellKind kind) {
  Offender& offender = offenders[column];
  if (offender.count++ == 0) offender = {line, std::string(text), kind, 1};
}

/// "3 more cells".
std::string more_cells(const Offender& offender) {
  return offender.count == 1   ? ""
         : offender.count == 2 ? " (and one more cell of the column)"
                               : fmt::format(" (and {} more cells of the column)", offender.count - 1);
}

/// The levels of a category, by first appearance.
class LevelNames {
 public:
  double position(std::string_view level) {
    const auto [entry, is_new] = positions_.emplace(level, names_.size());
    if (is_new) names_.emplace_back(level);
    return static_cast<double>(entry->second);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, std::size_t> positions_;
  std::vector<std::string> names_;
};

class TableBuilder {
 public:
  TableBuilder(std::string path, TableLayout layout, const ReadOptions& options)
      : path_(std::move(path)),
        layout_(std::move(layout)),
        format_(number_format(options)),
        text_is_categorical_(options.text_is_categorical),
        categorical_(options.categorical),
        levels_(layout_.width()),
        undecided_(layout_.roles[0] == ColumnRole::perhaps_id),
        may_be_ids_(undecided_) {
    const std::vector<std::string> generated = generated_names(layout_.has_header ? 0 : layout_.width());
    for (std::size_t j = 0; j < layout_.width(); ++j) {
      const std::string& name = layout_.has_header ? layout_.names[j] : generated[j];
      const bool named =
          std::find(options.categorical.begin(), options.categorical.end(), name) != options.categorical.end();
      if (named && layout_.roles[j] == ColumnRole::feature) levels_[j] = std::make_unique<LevelNames>();
    }
  }

  void add(std::size_t line, std::span<const std::string_view> cells);
  Table finish();

 private:
  double feature_value(std::size_t line, std::size_t column, std::string_view text);
  double level_of(std::size_t line, std::size_t column, std::string_view text);
  void begin_levels(std::size_t column);
  void add_levels(Table& table) const;
  void add_id(std::size_t line, std::string_view text);
  double add_perhaps_id(std::size_t line, std::string_view text);
  void decide_first_column();
  void check_ids_differ() const;
  std::string column_label(std::size_t column) const;
  std::string reason(const Offender& cell, std::size_t column) const;
  void check_cells() const;
  void check_categorical_names() const;

  std::string path_;
  TableLayout layout_;
  NumberFormat format_;
  bool text_is_categorical_;
  std::vector<std::string> categorical_;             // as given; may name columns of other tables
  std::vector<std::unique_ptr<LevelNames>> levels_;  // of categorical columns
  std::size_t rows_ = 0;
  // rows_ x (features and the perhaps-id column); a deque, because it grows without being copied
  std::deque<double> values_;
  std::vector<std::string> ids_;               // of the id or the perhaps-id column
  std::size_t missing_ids_ = 0;                // cells of the perhaps-id column that are missing
  std::map<std::size_t, Offender> offenders_;  // by column
  Offender text_id_;                           // of the perhaps-id column
  std::optional<std::size_t> first_empty_id_;  // its line
  bool undecided_;                             // the first column is still a perhaps-id column
  bool may_be_ids_;                            // the first column began as a perhaps-id column
  bool ids_by_content_ = false;                // it became the ids because of its text
};

std::string TableBuilder::column_label(std::size_t column) const {
  return layout_.has_header ? fmt::format("column {}", in_quotes(layout_.names[column]))
                            : fmt::format("column {}", column + 1);
}

std::string TableBuilder::reason(const Offender& cell, std::size_t column) const {
  if (cell.kind == CellKind::infinite) {
    return "is infinite or too large for single precision. Correct the cell, or leave it empty if unknown.";
  }
  if (has_thousands_commas(cell.text)) {
    return "is not a number. If the comma separates thousands, use --thousands ,; if it is a decimal comma, use "
           "--decimal , (for one view: --decimal VIEW=,).";
  }
  if (has_decimal_comma(cell.text))
    return "is not a number: it has a decimal comma. Use --decimal , (for one view: --decimal VIEW=,).";
  const std::string name_to_drop =
      layout_.has_header ? fmt::format(" (--drop {})", in_quotes(layout_.names[column])) : "";
  if (looks_like_a_date(cell.text)) {
    return fmt::format("is a date, not a number. Leave the column out{}, or write days since a start.", name_to_drop);
  }
  if (const std::string_view unit = unit_of(cell.text); !unit.empty() && cell.count > 1) {
    return fmt::format("is not a number. Remove \"{}\" from the cells, or leave the column out{}.", unit, name_to_drop);
  }
  if (layout_.has_header && cell.text == layout_.names[column]) {
    return "is the name of the column: the line repeats the header. Remove it.";
  }
  const std::string as_category =
      fmt::format("--categorical {}", layout_.has_header ? in_quotes(layout_.names[column]) : "COLUMN");
  if (is_yes_or_no(cell.text)) {
    return fmt::format("is not a number. Write 1 for yes and 0 for no, or read the column as a category ({}).",
                       as_category);
  }
  if (cell.text.front() == '\'') return "is not a number. Remove the apostrophe.";
  if (cell.text.back() == '-') return "is not a number. Write the minus sign in front.";
  const bool looks_like_a_number = cell.text.find_first_of("0123456789") != std::string::npos &&
                                   cell.text.find_first_not_of("0123456789+-.,' _") == std::string::npos;
  if (looks_like_a_number) {
    return "is not a number with these settings. Set --decimal or --thousands, or correct the cell.";
  }
  const std::string name = layout_.has_header ? layout_.names[column] : "COLUMN";
  if (layout_.has_header && is_id_name(name)) {
    return fmt::format("is not a number. If the column holds the sample ids, use --id {}.", in_quotes(name));
  }
  return fmt::format(
      "is not a number. Correct the cell; if it means missing, use --na {}. Read a column of text as a category ({}), "
      "or leave it out{}{}.",
      in_quotes(cell.text), as_category, name_to_drop,
      column == 0 && may_be_ids_ ? ". If it holds the sample ids, name it with --id" : "");
}

/// Throws if --categorical has a misspelt name of a column of text: the name is then the mistake, not the text.
void TableBuilder::check_categorical_names() const {
  if (!layout_.has_header) return;
  std::vector<std::string_view> of_text;
  for (const auto& [column, cell] : offenders_) of_text.push_back(layout_.names[column]);
  for (const std::string& name : categorical_) {
    if (std::find(layout_.names.begin(), layout_.names.end(), name) != layout_.names.end()) continue;
    const std::string meant = did_you_mean(name, of_text);
    if (meant.empty()) continue;  // of another table
    throw DataError(fmt::format("{}: --categorical {}: there is no such column.{}", path_, in_quotes(name), meant));
  }
}

/// Throws one error for all columns with cells that are not numbers.
void TableBuilder::check_cells() const {
  constexpr std::size_t kShown = 5;
  if (offenders_.empty()) return;
  check_categorical_names();
  const auto& [column, first] = *offenders_.begin();
  std::string text = fmt::format("{}, line {}, {}: {}{} {}", path_, first.line, column_label(column),
                                 in_quotes(first.text), more_cells(first), reason(first, column));
  std::size_t shown = 1;
  for (auto other = std::next(offenders_.begin()); other != offenders_.end() && shown < kShown; ++other, ++shown) {
    text += fmt::format(" Also line {}, {}: {}{}.", other->second.line, column_label(other->first),
                        in_quotes(other->second.text), more_cells(other->second));
  }
  if (shown < offenders_.size()) {
    const std::size_t more = offenders_.size() - shown;
    text += fmt::format(" And {} more column{}.", more, more == 1 ? "" : "s");
  }
  throw DataError(text);
}

bool is_stored(ColumnRole role) { return role == ColumnRole::feature || role == ColumnRole::perhaps_id; }

double TableBuilder::feature_value(std::size_t line, std::size_t column, std::string_view text) {
  const Cell cell = parse_cell(text, format_);
  const bool is_text = cell.kind == CellKind::text || cell.kind == CellKind::infinite;
  if (is_text && text_is_categorical_ && !levels_[column]) begin_levels(column);
  if (levels_[column]) {
    if (cell.kind == CellKind::missing) return cell.value;
    return level_of(line, column, is_text ? trim(text) : std::string_view(level_name(cell.value)));
  }
  if (is_text) count(offenders_, column, line, trim(text), cell.kind);
  return cell.value;
}

double TableBuilder::level_of(std::size_t line, std::size_t column, std::string_view text) {
  if (!is_utf8(text)) {
    throw DataError(fmt::format("{}, line {}, {}: the text {} is not UTF-8. Save the file as UTF-8.", path_, line,
                                column_label(column), in_quotes(text)));
  }
  return levels_[column]->position(text);
}

/// Makes a column a category; its numbers so far become levels too.
void TableBuilder::begin_levels(std::size_t column) {
  levels_[column] = std::make_unique<LevelNames>();
  const auto stored_before = [&](std::size_t end) {
    return static_cast<std::size_t>(
        std::count_if(layout_.roles.begin(), layout_.roles.begin() + static_cast<std::ptrdiff_t>(end), is_stored));
  };
  const std::size_t width = stored_before(layout_.width());
  const std::size_t at = stored_before(column);
  for (std::size_t row = 0; row < rows_; ++row) {
    double& value = values_[row * width + at];
    if (!std::isnan(value)) value = levels_[column]->position(level_name(value));
  }
}

/// Levels in the order of their names.
void TableBuilder::add_levels(Table& table) const {
  if (std::none_of(levels_.begin(), levels_.end(), [](const auto& levels) { return levels != nullptr; })) return;
  for (std::size_t j = 0; j < layout_.width(); ++j) {
    if (layout_.roles[j] != ColumnRole::feature) continue;
    std::vector<std::string>& sorted = table.levels.emplace_back();
    if (!levels_[j]) continue;
    const std::vector<std::string>& names = levels_[j]->names();
    sorted = names;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> position;
    for (const std::string& name : names) {
      position.push_back(static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), name) - sorted.begin()));
    }
    const auto column = static_cast<Index>(table.levels.size()) - 1;
    for (Index i = 0; i < table.values.rows(); ++i) {
      double& value = table.values(i, column);
      if (!std::isnan(value)) value = position[static_cast<std::size_t>(value)];
    }
  }
}

void TableBuilder::add_id(std::size_t line, std::string_view text) {
  if (text.empty() && !first_empty_id_) first_empty_id_ = line;
  if (!is_utf8(text)) {
    throw DataError(fmt::format("{}, line {}: the sample id {} is not UTF-8. Save the file as UTF-8.", path_, line,
                                in_quotes(text)));
  }
  ids_.emplace_back(text);
}

double TableBuilder::add_perhaps_id(std::size_t line, std::string_view text) {
  const Cell cell = parse_cell(text, format_);
  if (cell.kind == CellKind::text || cell.kind == CellKind::infinite) {
    if (text_id_.count++ == 0) text_id_ = {line, std::string(text), cell.kind, 1};
  }
  if (cell.kind == CellKind::missing) ++missing_ids_;
  add_id(line, text);
  return cell.value;
}

void TableBuilder::add(std::size_t line, std::span<const std::string_view> cells) {
  if (cells.size() != layout_.width()) {
    throw DataError(fmt::format("{}, line {}: {} cell{} where the {} {}.{}", path_, line, cells.size(),
                                cells.size() == 1 ? "" : "s", layout_.has_header ? "header has" : "first row has",
                                layout_.width(),
                                layout_.width() == 1 ? " Remove titles and comments above the header." : ""));
  }
  for (std::size_t j = 0; j < cells.size(); ++j) {
    switch (layout_.roles[j]) {
      case ColumnRole::feature:
        values_.push_back(feature_value(line, j, cells[j]));
        break;
      case ColumnRole::sample_id:
        add_id(line, trim(cells[j]));
        break;
      case ColumnRole::perhaps_id:
        values_.push_back(add_perhaps_id(line, trim(cells[j])));
        break;
      case ColumnRole::ignored:
        break;
    }
  }
  ++rows_;
  if (undecided_ && rows_ == kDecisionRows) decide_first_column();
}

/// The first column holds ids if most of its cells are text. A few texts among numbers are more likely errors in a
/// feature.
void TableBuilder::decide_first_column() {
  undecided_ = false;
  const bool with_commas = has_decimal_comma(text_id_.text) || has_thousands_commas(text_id_.text);  // more likely
                                                                                                     // numbers
  ids_by_content_ = text_id_.count > 0 && !with_commas && 2 * text_id_.count >= rows_ - missing_ids_;
  if (!ids_by_content_) {
    if (text_id_.count > 0) offenders_[0] = text_id_;
    layout_.roles[0] = ColumnRole::feature;
    ids_.clear();
    first_empty_id_.reset();
    return;
  }
  layout_.roles[0] = ColumnRole::sample_id;
  const std::size_t stored = values_.size() / rows_;
  std::deque<double> without_first;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (k % stored != 0) without_first.push_back(values_[k]);
  }
  values_ = std::move(without_first);
}

/// Throws if values of the id column repeat. If it was taken as ids because it holds text, it may be a category.
void TableBuilder::check_ids_differ() const {
  std::unordered_set<std::string_view> seen;
  for (const std::string& id : ids_) {
    if (!seen.insert(id).second) {
      throw DataError(fmt::format(
          "{}, {}: the column holds text, so it was taken for the sample ids, but {} is there more than once. Ids "
          "must be unique. For repeated measurements, give every row its own id and put the subject in --groups. "
          "If the column is a feature, read it as a category (--categorical {}), or leave it out (--id none --drop).",
          path_, column_label(0), in_quotes(id), layout_.has_header ? in_quotes(layout_.names[0]) : "COLUMN"));
    }
  }
}

Table TableBuilder::finish() {
  if (rows_ == 0) throw DataError(fmt::format("{} has a header but no rows.", path_));
  if (undecided_) decide_first_column();
  check_cells();
  if (first_empty_id_) {
    throw DataError(fmt::format("{}, line {}: the sample id is empty.", path_, *first_empty_id_));
  }
  if (ids_by_content_) check_ids_differ();
  const std::size_t features = values_.size() / rows_;
  if (features == 0) throw DataError(fmt::format("{} has sample ids but no features.", path_));

  Table table;
  if (!layout_.note.empty()) table.notes.push_back(layout_.note);
  table.dropped = std::move(layout_.dropped);
  table.sample_ids = std::move(ids_);
  if (!layout_.has_header) table.feature_names = generated_names(features);
  for (std::size_t j = 0; j < layout_.names.size(); ++j) {
    if (layout_.roles[j] == ColumnRole::feature) {
      table.feature_names.push_back(std::move(layout_.names[j]));
    }
  }
  table.values = Matrix<double>(static_cast<Index>(rows_), static_cast<Index>(features));
  std::copy(values_.begin(), values_.end(), table.values.data());
  add_levels(table);
  return table;
}

}  // namespace

Table read_csv_table(ByteSource& source, const ReadOptions& options) {
  CsvReader csv(source, LineReader::kMaxLineBytes, options.decimal);
  std::vector<TextRecord> first = read_first_records(csv);
  if (first.empty()) throw DataError(fmt::format("{} is empty.", source.path()));
  TableLayout layout = recognise_layout(first, options, source.path());
  if (!layout.has_header && csv.delimiter() == ',') check_split_decimals(first, source.path());
  if (layout.has_header) first.erase(first.begin());

  TableBuilder builder(source.path(), std::move(layout), options);
  std::vector<std::string_view> cells;
  for (const TextRecord& record : first) {
    cells.assign(record.cells.begin(), record.cells.end());
    builder.add(record.line, cells);
  }
  std::vector<TextRecord>().swap(first);
  while (csv.next(cells)) builder.add(csv.line(), cells);
  Table table = builder.finish();
  table.ids_recognised = options.id_column.empty() && !table.sample_ids.empty();
  return table;
}

}  // namespace treecca
