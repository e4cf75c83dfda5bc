// read_labels, read_groups, read_weights and read_covariates: tables with properties of each sample.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "read/byte_source.hpp"
#include "read/cell.hpp"
#include "read/csv_reader.hpp"
#include "read/table_layout.hpp"
#include "support/levels.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

struct LabelRow {
  std::size_t line = 0;
  std::string id;  // empty in a file of one column
  std::string label;
};

struct LabelFile {
  bool has_ids = false;
  bool first_is_header = false;  // known to be a header; if false, the first row may still be one
  std::vector<LabelRow> rows;    // without the header if it is known to be one
};

bool last_cells_differ(const std::vector<TextRecord>& records) {
  std::unordered_set<std::string_view> seen;
  return std::all_of(records.begin(), records.end(),
                     [&](const TextRecord& record) { return seen.insert(record.cells.back()).second; });
}

LabelFile read_label_file(const std::string& path) {
  ByteSource source(path);
  CsvReader csv(source);
  std::vector<std::string_view> cells;
  std::vector<TextRecord> records;
  while (csv.next(cells)) {
    if (cells.size() > 2) {
      throw DataError(
          fmt::format("{}, line {}: {} cells. One column is needed (labels or weights), with a column of "
                      "sample ids before it.",
                      path, csv.line(), cells.size()));
    }
    TextRecord record{csv.line(), {}};
    for (const std::string_view cell : cells) record.cells.emplace_back(trim(cell));
    records.push_back(std::move(record));
  }
  if (records.empty()) throw DataError(fmt::format("{} is empty.", path));

  LabelFile file;
  const std::size_t width = records.back().cells.size();
  const std::vector<std::string>& first = records[0].cells;
  file.has_ids = width == 2;
  // The ids come first unless the header shows otherwise. A first label such as "patient" is not a header if the labels
  // below it repeat, because ids do not repeat.
  const bool ids_last =
      width == 2 && first.size() == 2 && is_id_name(first[1]) && !is_id_name(first[0]) && last_cells_differ(records);
  file.first_is_header = width == 2 && (first.size() == 1 || is_id_name(first[ids_last ? 1 : 0]));
  for (std::size_t i = file.first_is_header ? 1 : 0; i < records.size(); ++i) {
    std::vector<std::string>& row = records[i].cells;
    if (row.size() != width) {
      throw DataError(fmt::format("{}, line {}: {} cell{} where other lines have {}.", path, records[i].line,
                                  row.size(), row.size() == 1 ? "" : "s", width));
    }
    LabelRow label_row{records[i].line, {}, std::move(row[ids_last || width == 1 ? 0 : 1])};
    if (width == 2) label_row.id = std::move(row[ids_last ? 1 : 0]);
    file.rows.push_back(std::move(label_row));
  }
  return file;
}

/// The rows of the samples, found by id. Row: has `line` and `id`.
template <class Row>
std::vector<const Row*> rows_with_ids(const std::vector<Row>& all, const std::vector<std::string>& sample_ids,
                                      const std::string& path) {
  std::unordered_map<std::string_view, const Row*> row_of_id;
  for (const Row& row : all) {
    const auto [other, is_new] = row_of_id.emplace(row.id, &row);
    if (!is_new) {
      throw DataError(fmt::format("{} has the sample id {} twice, in the lines {} and {}.", path, in_quotes(row.id),
                                  other->second->line, row.line));
    }
  }
  constexpr std::size_t kNamed = 5;
  std::vector<const Row*> rows;
  std::vector<std::string> absent;  // the first few
  std::size_t n_absent = 0;
  rows.reserve(sample_ids.size());
  for (const std::string& id : sample_ids) {
    const auto found = row_of_id.find(id);
    if (found != row_of_id.end()) {
      rows.push_back(found->second);
    } else if (n_absent++ < kNamed) {
      absent.push_back(in_quotes(id));
    }
  }
  if (n_absent > 0) {
    throw DataError(fmt::format("{} has no entry for {} of {} samples: {}{}", path, n_absent, sample_ids.size(),
                                fmt::join(absent, ", "), n_absent > kNamed ? ", ..." : "."));
  }
  return rows;
}

std::vector<LabelRow> rows_by_id(const LabelFile& file, const std::vector<std::string>& sample_ids,
                                 const std::string& path) {
  if (!file.has_ids) {
    throw DataError(
        fmt::format("{} has one column, but the samples have ids: a column of sample ids is needed "
                    "before it.",
                    path));
  }
  // A header without a usual name is harmless, because its "id" is not a sample id.
  std::vector<LabelRow> rows;
  for (const LabelRow* row : rows_with_ids(file.rows, sample_ids, path)) rows.push_back(*row);
  return rows;
}

/// Row numbers, as programs write them before a table, are not ids.
bool are_numbered(const std::vector<LabelRow>& rows) {
  std::vector<std::string> ids;
  for (const LabelRow& row : rows) ids.push_back(row.id);
  return ids.empty() || are_row_numbers(ids);
}

std::vector<LabelRow> rows_by_order(LabelFile file, std::size_t n_samples, const std::string& path) {
  if (file.has_ids && !are_numbered(file.rows)) {
    throw DataError(fmt::format(
        "{} has two columns, but the samples of the views have no ids to match them with: one column in the "
        "order of the rows is needed (or ids in the views, see --id).",
        path));
  }
  // If there is one row more than samples, the first row is the header.
  if (!file.first_is_header && file.rows.size() == n_samples + 1) file.rows.erase(file.rows.begin());
  if (file.rows.size() != n_samples) {
    throw DataError(
        fmt::format("{} has entries for {} samples, but there are {} samples.", path, file.rows.size(), n_samples));
  }
  return std::move(file.rows);
}

/// The rows in the order of the samples. Failure: DataError for a sample without a value.
std::vector<LabelRow> rows_of_samples(const std::string& path, const std::vector<std::string>& sample_ids,
                                      std::size_t n_samples) {
  LabelFile file = read_label_file(path);
  std::vector<LabelRow> rows =
      sample_ids.empty() ? rows_by_order(std::move(file), n_samples, path) : rows_by_id(file, sample_ids, path);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].label.empty()) continue;
    throw DataError(fmt::format("{}, line {}: there is no value for sample {}.", path, rows[i].line,
                                sample_ids.empty() ? std::to_string(i + 1) : in_quotes(sample_ids[i])));
  }
  return rows;
}

/// A row of a table with several columns.
struct WideRow {
  std::size_t line = 0;
  std::string id;  // empty without a column of ids
  std::vector<std::string> cells;
};

struct WideFile {
  std::vector<std::string> header;
  std::optional<std::size_t> id_column;
  std::vector<WideRow> rows;
};

/// The column with sample ids: the given one, else the first with a usual name, else the first.
std::size_t id_column_of(const std::vector<std::string>& header, const std::string& asked) {
  auto found = std::find(header.begin(), header.end(), asked);
  if (found == header.end()) found = std::find_if(header.begin(), header.end(), is_id_name);
  return found == header.end() ? 0 : static_cast<std::size_t>(found - header.begin());
}

/// `has_ids`: one of the columns holds sample ids.
WideFile read_wide_file(const std::string& path, bool has_ids, const std::string& id_column) {
  ByteSource source(path);
  CsvReader csv(source);
  std::vector<std::string_view> cells;
  WideFile file;
  while (csv.next(cells)) {
    std::vector<std::string> texts;
    for (const std::string_view cell : cells) texts.emplace_back(trim(cell));
    if (file.header.empty()) {
      file.header = std::move(texts);
      const std::size_t ids = id_column_of(file.header, id_column);
      if (has_ids || is_id_name(file.header[ids]) || file.header[ids] == id_column) file.id_column = ids;
      continue;
    }
    if (texts.size() != file.header.size()) {
      throw DataError(fmt::format("{}, line {}: {} cells where the header has {}.", path, csv.line(), texts.size(),
                                  file.header.size()));
    }
    file.rows.push_back({csv.line(), file.id_column ? texts[*file.id_column] : "", std::move(texts)});
  }
  if (file.rows.empty()) throw DataError(fmt::format("{} has no rows below its header.", path));
  return file;
}

/// Numbers of the columns; if there are no names, of all except the ids.
std::vector<std::size_t> columns_named(const WideFile& file, const std::vector<std::string>& names,
                                       const std::vector<std::string>& drop, const std::string& path) {
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    const auto found = std::find(file.header.begin(), file.header.end(), name);
    if (found == file.header.end()) {
      throw DataError(fmt::format("{} has no column {}; its columns are: {}.", path, in_quotes(name),
                                  fmt::join(file.header, ", ")));
    }
    columns.push_back(static_cast<std::size_t>(found - file.header.begin()));
  }
  for (std::size_t c = 0; names.empty() && c < file.header.size(); ++c) {
    if (file.id_column != c && std::find(drop.begin(), drop.end(), file.header[c]) == drop.end()) columns.push_back(c);
  }
  if (columns.empty()) throw DataError(fmt::format("{} has no column of covariates.", path));
  return columns;
}

Covariate covariate_of(const std::vector<const WideRow*>& rows, std::size_t column, const std::string& name,
                       const NumberFormat& format, const std::string& path) {
  Covariate covariate{name, {}, {}};
  std::vector<double> numbers;
  for (const WideRow* row : rows) {
    const Cell cell = parse_cell(row->cells[column], format);
    if (cell.kind == CellKind::missing) {
      throw DataError(fmt::format("{}, line {}: {} has no value. Fill it in, or leave the sample out.", path, row->line,
                                  in_quotes(name)));
    }
    if (cell.kind == CellKind::infinite) {
      throw DataError(fmt::format("{}, line {}: {} has the value {}, which is too large.", path, row->line,
                                  in_quotes(name), in_quotes(row->cells[column])));
    }
    if (cell.kind == CellKind::number) numbers.push_back(cell.value);
  }
  if (numbers.size() == rows.size()) {
    covariate.values = std::move(numbers);
    return covariate;
  }
  std::vector<std::string> texts;
  for (const WideRow* row : rows) texts.push_back(row->cells[column]);
  covariate.values = positions_in_levels(texts, covariate.levels);
  return covariate;
}

}  // namespace

std::vector<Covariate> read_covariates(const std::string& path, const std::vector<std::string>& sample_ids,
                                       std::size_t n_samples, const std::vector<std::string>& columns,
                                       const ReadOptions& options) {
  const WideFile file = read_wide_file(path, !sample_ids.empty(), options.id_column);
  const std::vector<std::size_t> chosen = columns_named(file, columns, options.drop, path);
  const NumberFormat format{options.decimal, options.thousands, options.missing};
  std::vector<const WideRow*> rows;
  if (sample_ids.empty()) {
    for (const WideRow& row : file.rows) rows.push_back(&row);
    if (rows.size() != n_samples) {
      throw DataError(
          fmt::format("{} has entries for {} samples, but there are {} samples.", path, rows.size(), n_samples));
    }
  } else {
    rows = rows_with_ids(file.rows, sample_ids, path);
  }
  std::vector<Covariate> covariates;
  for (const std::size_t column : chosen) {
    covariates.push_back(covariate_of(rows, column, file.header[column], format, path));
  }
  return covariates;
}

std::vector<std::string> read_labels(const std::string& path, const std::vector<std::string>& sample_ids,
                                     std::size_t n_samples) {
  std::vector<std::string> labels;
  for (LabelRow& row : rows_of_samples(path, sample_ids, n_samples)) labels.push_back(std::move(row.label));
  return labels;
}

std::vector<std::int64_t> read_groups(const std::string& path, const std::vector<std::string>& sample_ids,
                                      std::size_t n_samples) {
  std::unordered_map<std::string, std::int64_t> numbers;  // counted up in the order of their first appearance
  std::vector<std::int64_t> groups;
  for (const std::string& label : read_labels(path, sample_ids, n_samples)) {
    groups.push_back(numbers.emplace(label, static_cast<std::int64_t>(numbers.size())).first->second);
  }
  return groups;
}

std::vector<double> read_weights(const std::string& path, const std::vector<std::string>& sample_ids,
                                 std::size_t n_samples) {
  std::vector<double> weights;
  for (const LabelRow& row : rows_of_samples(path, sample_ids, n_samples)) {
    const Cell cell = parse_cell(row.label);
    if (cell.kind != CellKind::number || cell.value < 0) {
      throw DataError(fmt::format("{}, line {}: the weight {}{} must be a number, 0 or more.", path, row.line,
                                  in_quotes(row.label), row.id.empty() ? "" : " of the sample " + in_quotes(row.id)));
    }
    weights.push_back(cell.value);
  }
  return weights;
}

}  // namespace treecca
