// Views named on the command line: `--view name=file`, or `--view file` with the name taken from
// the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "treecca/model.hpp"
#include "treecca/table.hpp"

namespace treecca::cli {

struct ViewFile {
  std::string name;
  std::string path;
};

/// UsageError for a name that is not UTF-8 or cannot be part of a file name, an empty name or path,
/// a name given twice.
std::vector<ViewFile> parse_view_files(const std::vector<std::string>& arguments);

std::vector<std::string> paths_of(const std::vector<ViewFile>& files);

/// "data/rna.csv.gz" -> "rna".
std::string view_name_of(const std::string& path);

/// `options`: one entry per file. UsageError for a column that an option names and no file has; FileError, DataError.
std::vector<Table> read_views(const std::vector<ViewFile>& files, const std::vector<ReadOptions>& options);

/// Where the view stands in the model; UsageError that lists the model's views when it is not one
/// of them, and ends with the advice.
Index view_index(const Model& model, const std::string& name, std::string_view advice = "");

/// Throws UsageError, naming the command, unless there is a file for every view of the model, two at least.
void check_all_views_given(const Model& model, const std::vector<ViewFile>& files, std::string_view command);

/// Reads views of a model and brings their columns and levels into its order; what is a category in the model is one
/// here. Values unlike those of the fit get a note
/// (n_jobs: threads for that).
/// UsageError, FileError, DataError.
std::vector<Table> read_views_of(const Model& model, const std::vector<ViewFile>& files,
                                 const std::vector<ReadOptions>& options, Index n_jobs);

}  // namespace treecca::cli
