// join_by_sample: one common order of the samples for all tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "read/cell.hpp"
#include "read/table_layout.hpp"
#include "support/names.hpp"
#include "support/text.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

using RowOfId = std::unordered_map<std::string_view, std::size_t>;

constexpr std::size_t kExamples = 3;

RowOfId index_ids(const Table& table) {
  RowOfId rows;
  rows.reserve(table.sample_ids.size());
  for (std::size_t i = 0; i < table.sample_ids.size(); ++i) {
    const auto [other, is_new] = rows.emplace(table.sample_ids[i], i);
    if (!is_new) {
      throw DataError(fmt::format(
          "View {}: sample id {} appears in rows {} and {}. Ids must be unique. For repeated measurements, give "
          "every row its own id and put the subject in --groups.",
          in_quotes(table.name), in_quotes(table.sample_ids[i]), other->second + 1, i + 1));
    }
  }
  return rows;
}

/// "rna" has 3 samples (e.g. "a", "b", "c")
std::string describe_ids(const Table& table) {
  std::vector<std::string> examples;
  for (std::size_t i = 0; i < std::min(kExamples, table.sample_ids.size()); ++i) {
    examples.push_back(in_quotes(table.sample_ids[i]));
  }
  return fmt::format("{} has {} sample{} (e.g. {})", in_quotes(table.name), table.sample_ids.size(),
                     table.sample_ids.size() == 1 ? "" : "s", fmt::join(examples, ", "));
}

template <class Describe>
std::string describe_all(const std::vector<Table>& tables, Describe describe) {
  std::vector<std::string> parts;
  for (const Table& table : tables) parts.push_back(describe(table));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Whether ids are used; false if no table has any.
bool check_ids(const std::vector<Table>& tables) {
  const auto has_ids = [](const Table& table) { return !table.sample_ids.empty(); };
  for (const Table& table : tables) {
    if (has_ids(table) && static_cast<Index>(table.sample_ids.size()) != table.values.rows()) {
      throw DataError(fmt::format("The view {} has {} sample ids for {} rows.", in_quotes(table.name),
                                  table.sample_ids.size(), table.values.rows()));
    }
  }
  const auto without = std::find_if_not(tables.begin(), tables.end(), has_ids);
  const auto with = std::find_if(tables.begin(), tables.end(), has_ids);
  if (without != tables.end() && with != tables.end()) {
    throw DataError(
        fmt::format("The view {} has no sample ids but {} has. Give ids to all views (a first column \"id\", or --id), "
                    "or to none.",
                    in_quotes(without->name), in_quotes(with->name)));
  }
  return with != tables.end();
}

void check_row_counts(const std::vector<Table>& tables) {
  const auto differs = [&](const Table& table) { return table.values.rows() != tables[0].values.rows(); };
  if (std::none_of(tables.begin(), tables.end(), differs)) return;
  throw DataError(
      fmt::format("Without sample ids all views must have the same number of rows: {}. Add an id "
                  "column to match them by id.",
                  describe_all(tables, [](const Table& table) {
                    return fmt::format("{} has {}", in_quotes(table.name), table.values.rows());
                  })));
}

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);  // marks a sample that a table lacks

/// Keeps `rows` of `table`, in that order; kAbsent becomes a row of NaN with the id of `ids`.
void take_rows(Table& table, const std::vector<std::size_t>& rows, const std::vector<std::string>& ids) {
  Matrix<double> values(static_cast<Index>(rows.size()), table.values.cols(), std::nan(""));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == kAbsent) continue;
    std::copy_n(table.values.row(static_cast<Index>(rows[i])), table.values.cols(), values.row(static_cast<Index>(i)));
  }
  table.values = std::move(values);
  table.sample_ids = ids;
}

/// Keeps `rows` of `table`, in that order.
void select_rows(Table& table, const std::vector<std::size_t>& rows) {
  bool unchanged = static_cast<Index>(rows.size()) == table.values.rows();
  for (std::size_t i = 0; unchanged && i < rows.size(); ++i) unchanged = rows[i] == i;
  if (unchanged) return;
  const auto width = static_cast<std::size_t>(table.values.cols());
  Matrix<double> values(static_cast<Index>(rows.size()), table.values.cols());
  std::vector<std::string> ids(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(table.values.row(static_cast<Index>(rows[i])), width, values.row(static_cast<Index>(i)));
    ids[i] = std::move(table.sample_ids[rows[i]]);
  }
  table.values = std::move(values);
  table.sample_ids = std::move(ids);
}

/// For each table the rows of the common samples, in the order of the first table.
std::vector<std::vector<std::size_t>> match_rows(const std::vector<Table>& tables) {
  std::vector<RowOfId> row_of_id;
  for (const Table& table : tables) row_of_id.push_back(index_ids(table));
  std::vector<std::vector<std::size_t>> matched(tables.size());
  std::vector<std::size_t> found(tables.size());
  for (const std::string& id : tables[0].sample_ids) {
    bool everywhere = true;
    for (std::size_t v = 0; everywhere && v < tables.size(); ++v) {
      const auto row = row_of_id[v].find(id);
      everywhere = row != row_of_id[v].end();
      if (everywhere) found[v] = row->second;
    }
    for (std::size_t v = 0; everywhere && v < tables.size(); ++v) matched[v].push_back(found[v]);
  }
  return matched;
}

/// Samples of any table: their ids, and for each table their rows.
struct Union {
  std::vector<std::string> ids;
  std::vector<std::vector<std::size_t>> rows;
};

Union unite_rows(const std::vector<Table>& tables) {
  std::vector<RowOfId> row_of_id;
  for (const Table& table : tables) row_of_id.push_back(index_ids(table));
  Union all{{}, std::vector<std::vector<std::size_t>>(tables.size())};
  for (std::size_t from = 0; from < tables.size(); ++from) {
    for (const std::string& id : tables[from].sample_ids) {
      const auto end = row_of_id.begin() + static_cast<std::ptrdiff_t>(from);
      if (std::any_of(row_of_id.begin(), end, [&](const RowOfId& rows) { return rows.contains(id); })) continue;
      all.ids.push_back(id);
      for (std::size_t v = 0; v < tables.size(); ++v) {
        const auto row = row_of_id[v].find(id);
        all.rows[v].push_back(row == row_of_id[v].end() ? kAbsent : row->second);
      }
    }
  }
  return all;
}

/// Whether some sample is in two tables.
bool any_in_common(const Union& all) {
  for (std::size_t i = 0; i < all.ids.size(); ++i) {
    if (std::count_if(all.rows.begin(), all.rows.end(), [&](const auto& rows) { return rows[i] != kAbsent; }) > 1) {
      return true;
    }
  }
  return all.rows.size() == 1;
}

/// The id without differences of spelling: case, blanks and dashes, leading zeros of a number, ".0" after a number.
std::string spelling(std::string_view id) {
  if (id.size() > 2 && id.ends_with(".0") && is_plain_integer(id.substr(0, id.size() - 2))) id.remove_suffix(2);
  std::string plain;
  bool in_number = false;
  for (const char c : lower_case(id)) {
    if (std::string_view(" _-.").find(c) != std::string_view::npos) {
      in_number = false;
      continue;
    }
    const bool digit = c >= '0' && c <= '9';
    if (digit && c == '0' && !in_number) continue;
    in_number = digit;
    plain += c;
  }
  return plain;
}

/// A sentence if ids of the first view that another view lacks differ from some of its ids only in spelling.
std::string different_spelling(const std::vector<Table>& tables) {
  const RowOfId first = index_ids(tables[0]);
  for (std::size_t v = 1; v < tables.size(); ++v) {
    const RowOfId other = index_ids(tables[v]);
    std::unordered_map<std::string, std::string_view> unmatched;
    for (const std::string& id : tables[v].sample_ids) {
      if (!first.contains(id)) unmatched.emplace(spelling(id), id);
    }
    std::size_t count = 0;
    std::string example;
    for (const std::string& id : tables[0].sample_ids) {
      if (other.contains(id)) continue;
      const auto found = unmatched.find(spelling(id));
      if (found == unmatched.end()) continue;
      if (count++ == 0) example = fmt::format("{} and {}", in_quotes(id), in_quotes(found->second));
    }
    if (count == 0) continue;
    return fmt::format(
        "{} sample id{} of the views {} and {} differ only in spelling, as {}. Write the ids alike in all files.",
        count, count == 1 ? "" : "s", in_quotes(tables[0].name), in_quotes(tables[v].name), example);
  }
  return "";
}

/// A sentence if the ids of a view are columns of another one, which then has its samples in columns.
std::string transposed(const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    const std::set<std::string_view> ids(table.sample_ids.begin(), table.sample_ids.end());
    for (const Table& other : tables) {
      const auto shared = std::count_if(other.feature_names.begin(), other.feature_names.end(),
                                        [&](const std::string& name) { return ids.contains(name); });
      if (&other == &table || shared < 2 || 2 * shared < std::ssize(other.feature_names)) continue;
      return fmt::format(
          "The sample ids of view {} are columns of view {}: one of the tables has its samples in columns. "
          "Transpose it.",
          in_quotes(table.name), in_quotes(other.name));
    }
  }
  return "";
}

/// Warns of row numbers used as ids, which match rows by their order. DataError if they start differently.
void warn_of_row_numbers(JoinReport& report, const std::vector<Table>& tables) {
  const auto numbered = [](const Table& table) { return table.ids_recognised && are_row_numbers(table.sample_ids); };
  if (tables.size() < 2 || !std::all_of(tables.begin(), tables.end(), numbered)) return;
  for (const Table& table : tables) {
    if (table.sample_ids[0] == tables[0].sample_ids[0]) continue;
    throw DataError(
        fmt::format("The sample ids are row numbers that start at {} in view {} and at {} in view {}: matched by id, "
                    "every row would be matched with its neighbour. If the rows are in the same order, use --id none; "
                    "else name the column that has the sample ids.",
                    tables[0].sample_ids[0], in_quotes(tables[0].name), table.sample_ids[0], in_quotes(table.name)));
  }
  report.warnings.push_back(
      "The sample ids of all views are row numbers, so rows are matched by their order. If the files are sorted "
      "differently, name the column that has the sample ids (--id).");
}

/// Warns of ids of rows that summarise samples.
void warn_of_summaries(JoinReport& report, const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    for (const std::string& id : table.sample_ids) {
      const std::string lower = lower_case(id);
      const bool summary = lower.starts_with("subtotal") || lower.starts_with("grand total") || lower == "total" ||
                           lower == "sum" || lower == "mean" || lower == "average" || lower == "median";
      if (!summary) continue;
      report.warnings.push_back(
          fmt::format("View {}: {} looks like a summary of samples, not like a sample. Leave this row out.",
                      in_quotes(table.name), in_quotes(id)));
      return;
    }
  }
}

/// Warns of equal first rows, which are probably headers of numbers.
void warn_of_equal_first_rows(JoinReport& report, const std::vector<Table>& tables) {
  const auto may_be_header = [](const Table& table) {
    return table.values.rows() > 0 && table.values.cols() > 1 && are_generated(table.feature_names);
  };
  for (std::size_t v = 1; v < tables.size(); ++v) {
    const Table& one = tables[v - 1];
    const Table& other = tables[v];
    if (!may_be_header(one) || !may_be_header(other) || one.values.cols() != other.values.cols()) continue;
    const double* const row = one.values.row(0);
    const double* const end = row + one.values.cols();
    if (!std::equal(row, end, other.values.row(0)) || std::all_of(row, end, [&](double x) { return x == *row; }))
      continue;
    report.warnings.push_back(fmt::format(
        "The first rows of the views {} and {} are equal ({}, {}, ...), as headers are. If they are headers, "
        "use --header yes.",
        in_quotes(one.name), in_quotes(other.name), row[0], row[1]));
    return;
  }
}

/// Warns if more than a tenth of the samples of the smallest view have no match.
void warn_of_few_matches(JoinReport& report, const std::vector<Table>& tables) {
  const auto fewest =
      static_cast<std::size_t>(std::min_element(report.rows.begin(), report.rows.end()) - report.rows.begin());
  if (10 * report.matched >= 9 * report.rows[fewest]) return;
  report.warnings.push_back(
      fmt::format("Only {} of the {} samples of view {} are in all views; the others are dropped "
                  "(--join outer keeps them).",
                  report.matched, report.rows[fewest], in_quotes(tables[fewest].name)));
}

}  // namespace

JoinReport join_by_sample(std::vector<Table>& tables, bool allow_one, Join join) {
  if (tables.empty() || (tables.size() < 2 && !allow_one)) {
    throw DataError(fmt::format("{} given where at least two views of the same samples are needed.",
                                tables.empty() ? "No view was" : "Only one view was"));
  }
  JoinReport report;
  for (const Table& table : tables) report.rows.push_back(static_cast<std::size_t>(table.values.rows()));
  report.by_id = check_ids(tables);
  warn_of_equal_first_rows(report, tables);
  if (!report.by_id) {
    check_row_counts(tables);
    report.matched = report.rows[0];
    report.dropped.assign(tables.size(), 0);
    return report;
  }
  const std::vector<std::vector<std::size_t>> matched = match_rows(tables);
  report.matched = matched[0].size();
  const Union all = join == Join::outer ? unite_rows(tables) : Union{};
  if (join == Join::outer ? !any_in_common(all) : report.matched == 0) {
    std::string cause = transposed(tables);
    if (cause.empty()) cause = different_spelling(tables);
    throw DataError(fmt::format(
        "No sample id is in {} views: {}. {}", join == Join::outer ? "two" : "all", describe_all(tables, describe_ids),
        cause.empty() ? "Write the ids alike in all files, or name the column that has them (--id)." : cause));
  }
  warn_of_row_numbers(report, tables);
  warn_of_summaries(report, tables);
  if (const std::string cause = different_spelling(tables); !cause.empty()) report.warnings.push_back(cause);
  if (join == Join::outer) {
    report.dropped.assign(tables.size(), 0);
    for (std::size_t v = 0; v < tables.size(); ++v) take_rows(tables[v], all.rows[v], all.ids);
    return report;
  }
  for (std::size_t v = 0; v < tables.size(); ++v) {
    report.dropped.push_back(report.rows[v] - report.matched);
    select_rows(tables[v], matched[v]);
  }
  warn_of_few_matches(report, tables);
  return report;
}

}  // namespace treecca
