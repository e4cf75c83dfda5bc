#include "treecca/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "export/formats.hpp"
#include "model/view_at.hpp"
#include "support/atomic_folder.hpp"
#include "treecca/error.hpp"

namespace treecca {
namespace {

struct Kind {
  ExportFormat format;
  std::string_view name;
  std::string_view ending;
};

constexpr std::array<Kind, 4> kKinds{{{ExportFormat::xgboost, "xgboost", ".json"},
                                      {ExportFormat::xgboost_ubj, "xgboost-ubj", ".ubj"},
                                      {ExportFormat::treelite, "treelite", ".treelite"},
                                      {ExportFormat::onnx, "onnx", ".onnx"}}};

const Kind& kind_of(ExportFormat format) { return kKinds.at(static_cast<std::size_t>(format)); }

/// A view's name as a file name: without folder separators and special characters of shells or file systems.
std::string as_file_name(std::string name) {
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos) c = '_';
  }
  return name;
}

}  // namespace

std::vector<std::string> export_format_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

ExportFormat export_format(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind.format;
  }
  throw UsageError(fmt::format("There is no format \"{}\" to export to; the formats are: {}.", name,
                               fmt::join(export_format_names(), ", ")));
}

std::string export_view(const Model& model, Index view, ExportFormat format) {
  const ViewModel& chosen = view_at(model, view);
  check_model(model);
  if (!model.covariates.empty()) {
    throw UsageError(
        "The model removes covariates from its variates, which other programs cannot do. Export a model that was "
        "fitted without covariates.");
  }
  if (!chosen.offset.empty()) {
    const auto far =
        std::find_if(chosen.offset.begin(), chosen.offset.end(), [](double offset) { return offset != 0; });
    const auto feature = static_cast<std::size_t>(far - chosen.offset.begin()) % chosen.offset.size();
    throw UsageError(
        fmt::format("View \"{}\" cannot be exported: the values of feature \"{}\" are too far from zero for single "
                    "precision, in which "
                    "other programs compare them. Subtract {} from it, fit again and export that model.",
                    chosen.name, chosen.feature_names[feature], chosen.offset[feature]));
  }
  const bool vector_trees = format != ExportFormat::treelite && model.n_components() > 1;
  if (!chosen.levels.empty() && (format == ExportFormat::onnx || vector_trees)) {
    const auto found =
        std::find_if(chosen.levels.begin(), chosen.levels.end(), [](const auto& of) { return !of.empty(); });
    const auto feature = static_cast<std::size_t>(found - chosen.levels.begin());
    throw UsageError(fmt::format(
        "View \"{}\" cannot be exported: the feature \"{}\" is a category, which the format \"{}\" cannot split{}. "
        "{}, or give the feature as one column of 0 and 1 per level, fit again and export that model.",
        chosen.name, chosen.feature_names[feature], kind_of(format).name,
        format == ExportFormat::onnx ? "" : " in trees of several components",
        chosen.linear.empty() ? "Export to treelite" : "Fit with linear=0 and export to treelite"));
  }
  if (!chosen.base_margin.empty() && format != ExportFormat::onnx) {
    throw UsageError(fmt::format(
        "View \"{}\" starts from a linear base margin (as preset \"paper\" does), and the format \"{}\" holds trees "
        "alone; export to onnx, or fit with initial values that fade out (preset \"auto\" or \"plain\").",
        chosen.name, kind_of(format).name));
  }
  if (!chosen.linear.empty() && format != ExportFormat::onnx) {
    throw UsageError(
        fmt::format("View \"{}\" is a blend with linear CCA (weight {}), and the format \"{}\" holds trees alone. {} "
                    "with linear=0.",
                    chosen.name, *model.parameters.linear.value, kind_of(format).name,
                    chosen.levels.empty() ? "Export to onnx, or fit" : "Fit"));
  }
  const FlatEnsemble ensemble = flat_ensemble(chosen, model.n_components());
  switch (format) {
    case ExportFormat::xgboost:
      return xgboost_json(ensemble);
    case ExportFormat::xgboost_ubj:
      return xgboost_ubjson(ensemble);
    case ExportFormat::treelite:
      return treelite_bytes(ensemble);
    case ExportFormat::onnx:
      return onnx_bytes(ensemble, chosen.name);
  }
  throw UsageError("There is no such format to export to.");
}

std::vector<std::string> export_file_names(const Model& model, ExportFormat format) {
  std::vector<std::string> names;
  for (const ViewModel& view : model.views) {
    const std::string_view ending = kind_of(format).ending;
    std::string name = fmt::format("{}{}", as_file_name(view.name), ending);
    // Names that differ only in characters not allowed in file names get a number.
    for (std::size_t number = names.size() + 1; std::find(names.begin(), names.end(), name) != names.end(); ++number) {
      name = fmt::format("{}_{}{}", as_file_name(view.name), number, ending);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> export_model(const Model& model, const std::string& folder, ExportFormat format) {
  const std::vector<std::string> names = export_file_names(model, format);
  std::vector<OutputFile> files;
  std::vector<std::string> paths;
  for (std::size_t v = 0; v < names.size(); ++v) {
    files.push_back({names[v], [&model, v, format] { return export_view(model, static_cast<Index>(v), format); }});
    paths.push_back((std::filesystem::path(folder) / names[v]).string());
  }
  OutputFolder(folder).write(files);
  return paths;
}

}  // namespace treecca
