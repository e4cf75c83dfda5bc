#include "cli/view_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>

#include "report/file_names.hpp"
#include "support/names.hpp"
#include "support/utf8.hpp"
#include "treecca/error.hpp"
#include "treecca/new_data.hpp"

namespace treecca::cli {
namespace {

// Result files are named after the views; file systems allow 255 bytes.
constexpr std::size_t kLongestName = 200;

void check_name(const std::string& name, const std::string& argument) {
  const auto refuse = [&](std::string_view reason) {
    throw UsageError(
        fmt::format("The view name \"{}\" (from --view {}) cannot be used: it {}. Give another one "
                    "with --view NAME=FILE.",
                    name, argument, reason));
  };
  if (name.empty()) refuse("is empty");
  if (!is_utf8(name)) refuse("is not text in UTF-8");
  if (name.size() > kLongestName) refuse(fmt::format("is longer than {} bytes", kLongestName));
  const bool control =
      std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (control || name.find_first_of("/\\") != std::string::npos) {
    refuse("becomes part of file names and so may not contain slashes or control characters");
  }
  if (name.starts_with(kOutOfFold)) refuse(fmt::format("begins with \"{}\"", kOutOfFold));
}

}  // namespace

std::vector<std::string> paths_of(const std::vector<ViewFile>& files) {
  std::vector<std::string> paths;
  for (const ViewFile& file : files) paths.push_back(file.path);
  return paths;
}

std::string view_name_of(const std::string& path) {
  std::filesystem::path file = std::filesystem::path(path).filename();
  if (file.extension() == ".gz") file = file.stem();
  return file.stem().string();
}

std::vector<ViewFile> parse_view_files(const std::vector<std::string>& arguments) {
  std::vector<ViewFile> files;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    ViewFile file;
    if (equals == std::string::npos) {
      file = {view_name_of(argument), argument};
    } else {
      file = {argument.substr(0, equals), argument.substr(equals + 1)};
    }
    if (file.path.empty()) {
      throw UsageError(fmt::format("--view {} names no file; write --view NAME=FILE.", argument));
    }
    if (file.path == "-" && equals == std::string::npos) {
      throw UsageError("--view -: a view from standard input needs a name, as --view NAME=-.");
    }
    check_name(file.name, argument);
    for (const ViewFile& other : files) {
      if (file.path == "-" && other.path == "-") {
        throw UsageError("Only one view can come from standard input (--view NAME=-).");
      }
      if (other.name == file.name) {
        throw UsageError(
            fmt::format("Two views are called \"{}\" ({} and {}); give them different names with "
                        "--view NAME=FILE.",
                        file.name, other.path, file.path));
      }
    }
    files.push_back(std::move(file));
  }
  return files;
}

static std::vector<Table> read_files(const std::vector<ViewFile>& files, const std::vector<ReadOptions>& options) {
  std::vector<Table> tables;
  for (std::size_t v = 0; v < files.size(); ++v) tables.push_back(read_table(files[v].path, files[v].name, options[v]));
  return tables;
}

/// Throws UsageError for a column that an option names and no table has.
static void check_columns_named(const std::vector<Table>& tables, const std::vector<ReadOptions>& options) {
  std::set<std::string> to_drop, categorical;
  for (const ReadOptions& one : options) {
    to_drop.insert(one.drop.begin(), one.drop.end());
    categorical.insert(one.categorical.begin(), one.categorical.end());
  }
  bool unnamed = false;
  std::vector<std::string_view> known;
  for (const Table& table : tables) {
    known.insert(known.end(), table.feature_names.begin(), table.feature_names.end());
    for (const std::string& name : table.dropped) {
      to_drop.erase(name);
      categorical.erase(name);
    }
    for (const std::string& name : table.feature_names) categorical.erase(name);
    unnamed = unnamed || are_generated(table.feature_names);
  }
  const auto refuse = [&](const char* option, const std::string& name) {
    throw UsageError(fmt::format("{} \"{}\": no view has this column{}.{}", option, name,
                                 unnamed ? " (a table without a header has no column names)" : "",
                                 did_you_mean(name, known)));
  };
  if (!to_drop.empty()) refuse("--drop", *to_drop.begin());
  if (!categorical.empty()) refuse("--categorical", *categorical.begin());
}

std::vector<Table> read_views(const std::vector<ViewFile>& files, const std::vector<ReadOptions>& options) {
  std::vector<Table> tables = read_files(files, options);
  check_columns_named(tables, options);
  return tables;
}

Index view_index(const Model& model, const std::string& name, std::string_view advice) {
  std::vector<std::string> names;
  for (const ViewModel& view : model.views) {
    if (view.name == name) return static_cast<Index>(names.size());
    names.push_back(view.name);
  }
  throw UsageError(fmt::format("The model has no view \"{}\"; its views are {}.{}{}", name, fmt::join(names, ", "),
                               advice.empty() ? "" : " ", advice));
}

std::vector<Table> read_views_of(const Model& model, const std::vector<ViewFile>& files,
                                 const std::vector<ReadOptions>& options, Index n_jobs) {
  for (const ViewFile& file : files) {  // check names before reading
    view_index(model, file.name, "Name one with --view NAME=FILE.");
  }
  std::vector<ReadOptions> own = options;  // column types are those of the model
  for (std::size_t v = 0; v < files.size(); ++v) {
    const ViewModel& view = model.views[static_cast<std::size_t>(view_index(model, files[v].name))];
    for (std::size_t j = 0; j < view.levels.size(); ++j) {
      if (!view.levels[j].empty()) own[v].categorical.push_back(view.feature_names[j]);
    }
  }
  std::vector<Table> tables = read_files(files, own);
  check_columns_named(tables, options);
  for (Table& table : tables) {
    const Index view = view_index(model, table.name);
    match_features(table, model.views[static_cast<std::size_t>(view)].feature_names);
    match_levels(table, model.views[static_cast<std::size_t>(view)].levels);
    std::string note = far_from_training(model, view, table.values, n_jobs);
    if (!note.empty()) table.notes.push_back(std::move(note));
  }
  return tables;
}

void check_all_views_given(const Model& model, const std::vector<ViewFile>& files, std::string_view command) {
  if (model.views.size() < 2) {
    throw UsageError("The model has one view, so there is no correlation between views to measure.");
  }
  std::vector<std::string> absent;
  for (const ViewModel& view : model.views) {
    const bool given = std::any_of(files.begin(), files.end(), [&](const ViewFile& f) { return f.name == view.name; });
    if (!given) absent.push_back(view.name);
  }
  if (!absent.empty()) {
    throw UsageError(fmt::format("{} needs every view of the model; missing: {}. Name it with --view NAME=FILE.",
                                 command, fmt::join(absent, ", ")));
  }
}

}  // namespace treecca::cli
