// Views named on the command line: `--view name=file`, or `--view file`, which takes the name from the file.
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

/// Failure: UsageError for a name that is not UTF-8 or cannot be part of a file name, an empty name or path, and a name
/// given twice.
std::vector<ViewFile> parse_view_files(const std::vector<std::string>& arguments);

std::vector<std::string> paths_of(const std::vector<ViewFile>& files);

/// "data/rna.csv.gz" -> "rna".
std::string view_name_of(const std::string& path);

/// `options`: one entry per file. Failure: UsageError for a column that an option names and no file has; FileError,
/// DataError.
std::vector<Table> read_views(const std::vector<ViewFile>& files, const std::vector<ReadOptions>& options);

/// The number of a view in the model. Failure: UsageError that lists the model's views and ends with the advice.
Index view_index(const Model& model, const std::string& name, std::string_view advice = "");

/// Throws UsageError, naming the command, unless every view of the model has a file and there are at least two.
void check_all_views_given(const Model& model, const std::vector<ViewFile>& files, std::string_view command);

/// Reads views of a model and brings their columns and levels into the model's order; columns that are categorical in
/// the model are read as such. Prints a note on values far from the values of the fit (computed on n_jobs threads).
/// UsageError, FileError, DataError.
std::vector<Table> read_views_of(const Model& model, const std::vector<ViewFile>& files,
                                 const std::vector<ReadOptions>& options, Index n_jobs);

}  // namespace treecca::cli
