#include "cli/data_options.hpp"

#include <fmt/format.h>

#include "treecca/error.hpp"

namespace treecca::cli {

void add_data_options(CLI::App& verb, DataOptions& options) {
  verb.add_option("--view", options.views,
                  "one table (CSV, TSV, either .gz, or NPY): rows are samples, columns are "
                  "features; give at least two; "
                  "the name is the file's unless given")
      ->type_name("[NAME=]FILE")
      ->allow_extra_args(false)
      ->group("Data");
  verb.add_option("--id", options.id,
                  "column with sample ids, by which rows are joined; recognised by itself when it "
                  "is the first one and "
                  "called id, sample, patient, subject_id, ... or holds text")
      ->type_name("COLUMN")
      ->group("Data");
  verb.add_option("--groups", options.groups,
                  "table with a sample id and one label per sample; samples with the same label "
                  "stay in one fold")
      ->type_name("FILE")
      ->group("Data");
}

std::vector<ViewFile> learning_files(const CLI::App& verb, const DataOptions& options) {
  std::vector<ViewFile> files = parse_view_files(options.views);
  if (files.size() < 2) {
    throw UsageError(
        fmt::format("{} needs at least two views, and {} given; name them with --view NAME=FILE.",
                    verb.get_name(), files.empty() ? "none is" : "only one is"));
  }
  return files;
}

std::vector<std::int64_t> groups_of(const std::string& file, const std::vector<Table>& tables) {
  if (file.empty()) return {};
  return read_groups(file, tables.front().sample_ids, static_cast<std::size_t>(tables.front().values.rows()));
}

}  // namespace treecca::cli
