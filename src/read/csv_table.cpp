#include "read/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
/// Rows after which it is settled whether the first column holds ids: their text must be kept until
/// then.
constexpr std::size_t kDecisionRows = 1000;

/// Enough records to recognise the layout, but no more text than a few megabytes beyond the second.
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

/// "1,5" and the like, where the person's software writes a comma for the decimal point.
bool has_decimal_comma(std::string_view text) {
  std::string with_point(text);
  const std::size_t comma = with_point.find(',');
  if (comma == std::string::npos) return false;
  with_point[comma] = '.';
  return parse_cell(with_point).kind == CellKind::number;
}

/// A cell that is not a number, kept until it is known whether its column holds the ids.
struct Offender {
  std::size_t line = 0;
  std::string text;
  CellKind kind = CellKind::text;
};

class TableBuilder {
 public:
  TableBuilder(std::string path, TableLayout layout)
      : path_(std::move(path)),
        layout_(std::move(layout)),
        undecided_(layout_.roles[0] == ColumnRole::perhaps_id),
        may_be_ids_(undecided_) {}

  void add(std::size_t line, std::span<const std::string_view> cells);
  Table finish();

 private:
  void add_id(std::size_t line, std::string_view text);
  float add_perhaps_id(std::size_t line, std::string_view text);
  void decide_first_column();
  void check_ids_differ() const;
  std::string column_label(std::size_t column) const;
  [[noreturn]] void fail_cell(const Offender& cell, std::size_t column) const;

  std::string path_;
  TableLayout layout_;
  std::size_t rows_ = 0;
  // rows_ x (features and the perhaps-id column); a deque, because it grows without a second copy
  // of itself
  std::deque<float> values_;
  std::vector<std::string> ids_;  // of the id or the perhaps-id column
  std::size_t text_ids_ = 0;      // cells of the perhaps-id column that are no usable numbers
  std::size_t missing_ids_ = 0;   // cells of the perhaps-id column that are missing
  std::optional<Offender> first_text_id_;
  std::optional<std::size_t> first_empty_id_;  // its line
  bool undecided_;                             // the first column is still a perhaps-id column
  bool may_be_ids_;                            // it was one at first
  bool ids_by_content_ = false;                // it became the ids because of its text
};

std::string TableBuilder::column_label(std::size_t column) const {
  return layout_.has_header ? fmt::format("column {}", in_quotes(layout_.names[column]))
                            : fmt::format("column {}", column + 1);
}

void TableBuilder::fail_cell(const Offender& cell, std::size_t column) const {
  std::string reason;
  if (cell.kind == CellKind::infinite) {
    reason =
        "is infinite or too large for single precision. Correct the cell, or leave it empty if "
        "unknown.";
  } else if (has_decimal_comma(cell.text)) {
    reason = "is not a number: write decimals with a point instead of a comma.";
  } else {
    reason = "is not a number. Correct the cell; a column of text must be encoded as numbers or removed";
    reason += column == 0 && may_be_ids_ ? ", or named as the id column (--id) if it holds the sample ids." : ".";
  }
  throw DataError(
      fmt::format("{}, line {}, {}: {} {}", path_, cell.line, column_label(column), in_quotes(cell.text), reason));
}

void TableBuilder::add_id(std::size_t line, std::string_view text) {
  if (text.empty() && !first_empty_id_) first_empty_id_ = line;
  if (!is_utf8(text)) {
    throw DataError(fmt::format("{}, line {}: the sample id {} is not UTF-8. Save the file as UTF-8.", path_, line,
                                in_quotes(text)));
  }
  ids_.emplace_back(text);
}

float TableBuilder::add_perhaps_id(std::size_t line, std::string_view text) {
  const Cell cell = parse_cell(text);
  if (cell.kind == CellKind::text || cell.kind == CellKind::infinite) {
    ++text_ids_;
    if (!first_text_id_) first_text_id_ = Offender{line, std::string(text), cell.kind};
  }
  if (cell.kind == CellKind::missing) ++missing_ids_;
  add_id(line, text);
  return cell.value;
}

void TableBuilder::add(std::size_t line, std::span<const std::string_view> cells) {
  if (cells.size() != layout_.width()) {
    throw DataError(fmt::format("{}, line {}: {} cell{} where the {} {}.", path_, line, cells.size(),
                                cells.size() == 1 ? "" : "s", layout_.has_header ? "header has" : "first row has",
                                layout_.width()));
  }
  for (std::size_t j = 0; j < cells.size(); ++j) {
    switch (layout_.roles[j]) {
      case ColumnRole::feature: {
        const Cell cell = parse_cell(cells[j]);
        if (cell.kind == CellKind::text || cell.kind == CellKind::infinite) {
          fail_cell({line, std::string(trim(cells[j])), cell.kind}, j);
        }
        values_.push_back(cell.value);
        break;
      }
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

/// Ids when most of the cells are text. A few texts among numbers are rather errors in a feature.
void TableBuilder::decide_first_column() {
  undecided_ = false;
  ids_by_content_ = text_ids_ > 0 && 2 * text_ids_ >= rows_ - missing_ids_;
  if (!ids_by_content_) {
    if (first_text_id_) fail_cell(*first_text_id_, 0);
    layout_.roles[0] = ColumnRole::feature;
    ids_.clear();
    first_empty_id_.reset();
    return;
  }
  layout_.roles[0] = ColumnRole::sample_id;
  const std::size_t stored = values_.size() / rows_;
  std::deque<float> without_first;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (k % stored != 0) without_first.push_back(values_[k]);
  }
  values_ = std::move(without_first);
}

/// A column taken for ids because it holds text may also be a category: then its values repeat.
void TableBuilder::check_ids_differ() const {
  std::unordered_set<std::string_view> seen;
  for (const std::string& id : ids_) {
    if (!seen.insert(id).second) {
      throw DataError(
          fmt::format("{}, {}: the column holds text and has {} more than once. Sample ids must "
                      "differ; a column of text "
                      "that is a feature must be encoded as numbers or removed.",
                      path_, column_label(0), in_quotes(id)));
    }
  }
}

Table TableBuilder::finish() {
  if (rows_ == 0) throw DataError(fmt::format("{} has a header but no rows.", path_));
  if (undecided_) decide_first_column();
  if (first_empty_id_) {
    throw DataError(fmt::format("{}, line {}: the sample id is empty.", path_, *first_empty_id_));
  }
  if (ids_by_content_) check_ids_differ();
  const std::size_t features = values_.size() / rows_;
  if (features == 0) throw DataError(fmt::format("{} has sample ids but no features.", path_));

  Table table;
  table.sample_ids = std::move(ids_);
  if (!layout_.has_header) table.feature_names = generated_names(features);
  for (std::size_t j = 0; j < layout_.names.size(); ++j) {
    if (layout_.roles[j] == ColumnRole::feature) {
      table.feature_names.push_back(std::move(layout_.names[j]));
    }
  }
  table.values = Matrix<float>(static_cast<Index>(rows_), static_cast<Index>(features));
  std::copy(values_.begin(), values_.end(), table.values.data());
  return table;
}

}  // namespace

Table read_csv_table(ByteSource& source, const ReadOptions& options) {
  CsvReader csv(source);
  std::vector<TextRecord> first = read_first_records(csv);
  if (first.empty()) throw DataError(fmt::format("{} is empty.", source.path()));
  TableLayout layout = recognise_layout(first, options.id_column, source.path());
  if (layout.has_header) first.erase(first.begin());

  TableBuilder builder(source.path(), std::move(layout));
  std::vector<std::string_view> cells;
  for (const TextRecord& record : first) {
    cells.assign(record.cells.begin(), record.cells.end());
    builder.add(record.line, cells);
  }
  std::vector<TextRecord>().swap(first);
  while (csv.next(cells)) builder.add(csv.line(), cells);
  return builder.finish();
}

}  // namespace treecca
