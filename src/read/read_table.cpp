// read_table: recognises the format of a file by its first bytes and calls the reader of that format.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "read/byte_source.hpp"
#include "read/cell.hpp"
#include "read/csv_table.hpp"
#include "read/npy.hpp"
#include "treecca/error.hpp"
#include "treecca/table.hpp"

namespace treecca {
namespace {

constexpr std::string_view kZipMagic = "PK\x03\x04";
constexpr std::size_t kZipNameOffset = 30;  // of the first file's name in a zip archive
constexpr std::size_t kPeekBytes = 512;

struct OtherFormat {
  std::string_view start;
  std::string_view name;
  std::string_view reader;  // of pandas
};

constexpr std::array<OtherFormat, 4> kOtherFormats{{{"PAR1", "a Parquet file", "read_parquet"},
                                                    {"ARROW1", "a Feather file", "read_feather"},
                                                    {"\x89HDF", "an HDF5 file", "read_hdf"},
                                                    {"\xD0\xCF\x11\xE0", "an Excel workbook", "read_excel"}}};

/// "view.csv" for "data/view.xlsx".
std::string csv_name(const std::string& path) {
  const std::filesystem::path file(path);
  if (file.extension() == ".csv") return file.stem().string() + "_table.csv";  // must not overwrite the file itself
  return file.filename().replace_extension(".csv").string();
}

std::string conversion(const std::string& path, std::string_view reader) {
  const bool keeps_index = reader == "read_parquet" || reader == "read_hdf";  // it may hold the sample ids
  return fmt::format("Save it as CSV: python -c \"import pandas; pandas.{}('{}').to_csv('{}'{})\"", reader, path,
                     csv_name(path), keeps_index ? "" : ", index=False");
}

[[noreturn]] void fail_zip(const std::string& path, std::string_view start) {
  const bool has_arrays =
      path.ends_with(".npz") ||
      (start.size() > kZipNameOffset && start.substr(kZipNameOffset).find(".npy") != std::string_view::npos);
  throw DataError(has_arrays ? fmt::format("{} is an archive of arrays (NPZ). Extract the array you want and save it "
                                           "as NPY, e.g. numpy.save(\"view.npy\", numpy.load(\"file.npz\")[\"name\"]).",
                                           path)
                             : fmt::format("{} is an Excel workbook or a zip archive. {}", path,
                                           path.ends_with(".zip") ? "Unpack it." : conversion(path, "read_excel")));
}

/// Converts columns of numbers to categories.
void make_categorical(Table& table, const std::vector<std::string>& names) {
  for (std::size_t j = 0; j < table.feature_names.size(); ++j) {
    if (std::find(names.begin(), names.end(), table.feature_names[j]) == names.end()) continue;
    table.levels.resize(table.feature_names.size());
    std::vector<std::string>& levels = table.levels[j];
    const auto column = static_cast<Index>(j);
    for (Index i = 0; i < table.values.rows(); ++i) {
      if (!std::isnan(table.values(i, column))) levels.push_back(level_name(table.values(i, column)));
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (Index i = 0; i < table.values.rows(); ++i) {
      double& value = table.values(i, column);
      if (std::isnan(value)) continue;
      value = static_cast<double>(std::lower_bound(levels.begin(), levels.end(), level_name(value)) - levels.begin());
    }
  }
}

Table read_any(ByteSource& source, const ReadOptions& options) {
  const std::string_view start = source.peek(kPeekBytes);
  for (const OtherFormat& other : kOtherFormats) {
    if (start.starts_with(other.start)) {
      throw DataError(fmt::format("{} is {}. {}", source.path(), other.name, conversion(source.path(), other.reader)));
    }
  }
  if (start.starts_with('{') && start.find("treecca-model") != std::string_view::npos) {
    throw DataError(fmt::format("{} is a TreeCCA model, not a table.", source.path()));
  }
  if (start.empty()) throw DataError(fmt::format("{} is empty.", source.path()));
  if (start.starts_with(kNpyMagic)) {
    Table table = read_npy_table(source, options);
    make_categorical(table, options.categorical);
    return table;
  }
  if (start.starts_with(kZipMagic)) fail_zip(source.path(), start);
  if (source.path().ends_with(".npy")) {
    throw DataError(fmt::format("{} is not an NPY file: its first bytes differ.", source.path()));
  }
  return read_csv_table(source, options);
}

}  // namespace

Table read_table(const std::string& path, const std::string& view_name, const ReadOptions& options) {
  ByteSource source(path);
  try {
    Table table = read_any(source, options);
    table.name = view_name;
    return table;
  } catch (const std::bad_alloc&) {
    throw DataError(fmt::format("{} does not fit into memory.", path));
  } catch (const std::length_error&) {
    throw DataError(fmt::format("{} does not fit into memory.", path));
  }
}

}  // namespace treecca
