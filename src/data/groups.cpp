// read_groups: the label of each sample from a text table, as group numbers.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/byte_source.hpp"
#include "data/cell.hpp"
#include "data/csv_reader.hpp"
#include "data/table_layout.hpp"
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
  bool first_is_header = false;  // known for sure; when false the first row may still be one
  std::vector<LabelRow> rows;    // without the header when it is known to be one
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
          fmt::format("{}, line {}: {} cells. Groups need one column of labels, with a column of "
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
  // The ids come first unless the header says otherwise. A label such as "patient" is no header:
  // below it labels repeat, which ids do not.
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

/// Equal texts get equal numbers, counted up in the order of their first appearance.
class Numbering {
 public:
  std::int64_t number(const std::string& label) {
    return numbers_.emplace(label, static_cast<std::int64_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, std::int64_t> numbers_;
};

std::vector<std::int64_t> groups_by_id(const LabelFile& file, const std::vector<std::string>& sample_ids,
                                       const std::string& path) {
  if (!file.has_ids) {
    throw DataError(
        fmt::format("{} has one column, but the samples have ids: a column of sample ids and one "
                    "of labels are needed.",
                    path));
  }
  // A first row that is a header without a usual name does no harm: its "id" is no sample's.
  std::unordered_map<std::string_view, const LabelRow*> row_of_id;
  for (const LabelRow& row : file.rows) {
    const auto [other, is_new] = row_of_id.emplace(row.id, &row);
    if (!is_new) {
      throw DataError(fmt::format("{} has the sample id {} twice, in the lines {} and {}.", path, in_quotes(row.id),
                                  other->second->line, row.line));
    }
  }
  Numbering numbering;
  std::vector<std::int64_t> groups;
  groups.reserve(sample_ids.size());
  for (const std::string& id : sample_ids) {
    const auto found = row_of_id.find(id);
    if (found == row_of_id.end()) {
      throw DataError(fmt::format("{} has no label for the sample {}.", path, in_quotes(id)));
    }
    if (found->second->label.empty()) {
      throw DataError(
          fmt::format("{}, line {}: the label of the sample {} is empty.", path, found->second->line, in_quotes(id)));
    }
    groups.push_back(numbering.number(found->second->label));
  }
  return groups;
}

std::vector<std::int64_t> groups_by_order(const LabelFile& file, std::size_t n_samples, const std::string& path) {
  if (file.has_ids && !file.first_is_header) {
    throw DataError(
        fmt::format("{} has two columns, but the samples have no ids: one column of labels in the "
                    "order of the rows is needed.",
                    path));
  }
  // One row more than samples: then the first is the header.
  const bool extra = !file.first_is_header && file.rows.size() == n_samples + 1;
  const std::size_t begin = extra ? 1 : 0;
  if (file.rows.size() - begin != n_samples) {
    throw DataError(fmt::format("{} has labels for {} samples where there are {}.", path, file.rows.size(), n_samples));
  }
  Numbering numbering;
  std::vector<std::int64_t> groups;
  groups.reserve(n_samples);
  for (std::size_t i = begin; i < file.rows.size(); ++i) {
    if (file.rows[i].label.empty()) {
      throw DataError(
          fmt::format("{}, line {}: the label of sample {} is empty.", path, file.rows[i].line, i - begin + 1));
    }
    groups.push_back(numbering.number(file.rows[i].label));
  }
  return groups;
}

}  // namespace

std::vector<std::int64_t> read_groups(const std::string& path, const std::vector<std::string>& sample_ids,
                                      std::size_t n_samples) {
  const LabelFile file = read_label_file(path);
  return sample_ids.empty() ? groups_by_order(file, n_samples, path) : groups_by_id(file, sample_ids, path);
}

}  // namespace treecca
